import { expect, test } from "bun:test";
import { uploadChunks } from "../../worker/lib/upload-body";

const QUICK = { bytes: 100, milliseconds: 40 };

/** A client that sends `sizes` in order, waits before each, and then leaves the connection open. */
function client(sizes: number[], milliseconds: number) {
  let cancelled = false;
  const left = [...sizes];
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const size = left.shift();
        if (size === undefined) await new Promise(() => {});
        if (milliseconds > 0) await Bun.sleep(milliseconds);
        controller.enqueue(new Uint8Array(size ?? 0));
      },
      cancel: () => {
        cancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  return { body, wasCancelled: () => cancelled };
}

test("a client that sends nothing times out", async () => {
  const { body, wasCancelled } = client([], 0);
  await expect(Array.fromAsync(uploadChunks(body, QUICK))).rejects.toMatchObject({ code: "upload_too_slow" });
  expect(wasCancelled()).toBe(true);
});

test("a client that trickles times out although it keeps sending", async () => {
  const { body } = client(Array(100).fill(1), 2);
  await expect(Array.fromAsync(uploadChunks(body, QUICK))).rejects.toMatchObject({ code: "upload_too_slow" });
});

test("time spent in the store does not count against the client", async () => {
  const { body } = client([60, 60, 60], 0);
  let arrived = 0;
  const reading = (async () => {
    for await (const chunk of uploadChunks(body, QUICK)) {
      arrived += chunk.length;
      await Bun.sleep(QUICK.milliseconds);
    }
  })();
  await reading.catch(() => {});
  expect(arrived).toBe(180);
});

test("a broken connection is reported as interrupted", async () => {
  const body = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new Error("reset")) });
  await expect(Array.fromAsync(uploadChunks(body))).rejects.toMatchObject({ code: "upload_interrupted" });
});
