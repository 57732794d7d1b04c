import { expect, test } from "bun:test";
import { createBufferRelease } from "../../worker/adapters/bun/listen";

const MIB = 1024 * 1024;
const afterTimers = () => new Promise<void>((resolve) => setTimeout(resolve, 0));

type Calls = { requests: number; method?: string; status?: number; length?: number };

async function collections({ requests, method = "PATCH", status = 204, length = 8 * MIB }: Calls) {
  let collected = 0;
  const release = createBufferRelease(() => {
    collected += 1;
  });
  const request = new Request("http://localhost", {
    method,
    headers: { "Content-Length": String(length) },
  });
  for (let count = 0; count < requests; count += 1) release(request, new Response(null, { status }));
  expect(collected).toBe(0);
  await afterTimers();
  return collected;
}

test("buffers of chunks are released after every 256 MiB, after the response", async () => {
  expect(await collections({ requests: 31 })).toBe(0);
  expect(await collections({ requests: 32 })).toBe(1);
  expect(await collections({ requests: 512, length: MIB })).toBe(2);
});

test("files in one request and rejected chunks cause no collection", async () => {
  expect(await collections({ requests: 100, method: "POST", status: 200 })).toBe(0);
  expect(await collections({ requests: 100, status: 404 })).toBe(0);
});
