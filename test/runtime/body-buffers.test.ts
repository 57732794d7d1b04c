import { expect, test } from "bun:test";
import { createBufferRelease } from "../../worker/adapters/bun/body-buffers";

const MIB = 1024 * 1024;
const afterTimers = () => new Promise<void>((resolve) => setTimeout(resolve, 0));

async function collections(requests: number, headers: Record<string, string>): Promise<number> {
  let collected = 0;
  const release = createBufferRelease(() => {
    collected += 1;
  });
  for (let count = 0; count < requests; count += 1) release(new Request("http://localhost", { headers }));
  expect(collected).toBe(0);
  await afterTimers();
  return collected;
}

test("buffers of large bodies are released after every 32 of them, once they are answered", async () => {
  expect(await collections(31, { "Content-Length": String(8 * MIB) })).toBe(0);
  expect(await collections(64, { "Content-Length": String(MIB) })).toBe(2);
});

test("small bodies and requests without one cost no collection", async () => {
  expect(await collections(100, { "Content-Length": String(MIB - 1) })).toBe(0);
  expect(await collections(100, {})).toBe(0);
});
