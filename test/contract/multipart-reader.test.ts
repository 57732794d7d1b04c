import { expect, test } from "bun:test";
import { createTypeCheck, receiveBytes } from "../../worker/features/files/receive-bytes";
import { readMultipart } from "../../worker/lib/multipart";
import { multipart } from "../support/api/multipart";

const FILES = [
  { name: "Contract", fileName: 'a-"1"-.pdf'.replaceAll('"', "%22"), content: "-\r\n--x\r\n-\r" },
  { name: "Letter – 2", fileName: "b.pdf", content: "\r\n----edg\r\n" },
];
const { bytes, type } = multipart(FILES);

async function readInPieces(ends: number[]): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  const chunks = [...ends, bytes.length].map((end, index) => bytes.slice(ends[index - 1] ?? 0, end));
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) if (chunk.length > 0) controller.enqueue(chunk);
      controller.close();
    },
  });
  const decoder = new TextDecoder();
  for await (const { name, bytes } of readMultipart({ body, contentType: type }, { maxParts: 3 })) {
    found[name] = "";
    for await (const chunk of bytes) found[name] += decoder.decode(chunk);
  }
  return found;
}

test("a body is parsed the same in any chunks", async () => {
  const expected = Object.fromEntries(FILES.map(({ name, content }) => [name, content]));
  for (let cut = 1; cut < bytes.length; cut += 1) {
    expect([cut, await readInPieces([cut])]).toEqual([cut, expected]);
    for (let next = cut + 1; next < Math.min(cut + 8, bytes.length); next += 1)
      expect([cut, next, await readInPieces([cut, next])]).toEqual([cut, next, expected]);
  }
});

test("a chunk's memory is freed once it is written, and not before", async () => {
  const content = new Uint8Array(300_000).fill(65);
  const long = multipart([{ name: "Contract", fileName: "long.pdf", content }]);
  const chunks = [0, 1, 2, 3].map((index) => long.bytes.slice(index * 100_000, (index + 1) * 100_000));
  const shared = chunks[2] ?? new Uint8Array();
  const view = new Uint8Array(new ArrayBuffer(200_000), 0, shared.length);
  view.set(shared);
  const sent = chunks.map((chunk) => (chunk === shared ? view : chunk));
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of sent) controller.enqueue(chunk);
      controller.close();
    },
  });
  let size = 0;
  const write = async (chunk: Uint8Array) => {
    size += chunk.length;
  };
  const type = createTypeCheck(async () => "application/pdf");
  for await (const part of readMultipart({ body, contentType: long.type }, { maxParts: 1 }))
    await receiveBytes(part.bytes, { count: async () => {}, type, write, hashes: [] });
  expect(size).toBe(content.length);
  const inUse = sent.map(({ buffer }) => buffer.byteLength > 0);
  expect(inUse).toEqual([true, false, true, true]);
});
