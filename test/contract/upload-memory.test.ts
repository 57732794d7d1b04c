import { expect, test } from "bun:test";
import { returnUploadMemory } from "../../worker/adapters/bun/files/upload-memory";
import { createMemoryFileStore } from "../../worker/adapters/memory/memory-file-store";
import { fileStoreSuite } from "./file-store-suite";

const returning = (collect: () => void) =>
  returnUploadMemory(createMemoryFileStore(), { everyBytes: 100, uploads: 3, collect });

fileStoreSuite("memory, given back", async () => ({ store: returning(() => {}), close: () => {} }));

/** How often memory was given back while so many uploads wrote 1,000 bytes in turn. */
async function collections(uploads: number): Promise<number> {
  let count = 0;
  const store = returning(() => {
    count += 1;
  });
  const writers = await Promise.all(Array.from({ length: uploads }, (_, index) => store.create(`${index}`)));
  for (let written = 0; written < 1000; written += 10)
    await writers[(written / 10) % uploads]?.write(new Uint8Array(10));
  return count;
}

test("memory is given back once for so many bytes while several uploads write", async () => {
  expect(await collections(3)).toBe(10);
  expect(await collections(8)).toBe(10);
});

test("for fewer uploads nothing is stopped", async () => {
  expect(await collections(1)).toBe(0);
  expect(await collections(2)).toBe(0);
});
