import { expect, test } from "bun:test";
import { readMultipart } from "../../worker/lib/multipart";
import { multipart } from "../support/multipart";

const FILES = [
  { name: "Contract", fileName: 'a-"1"-.pdf'.replaceAll('"', "%22"), content: "-\r\n--x\r\n-\r" },
  { name: "Letter – 2", fileName: "b.pdf", content: "\r\n----edg\r\n" },
];
const { bytes, type } = multipart(FILES);

async function readInPieces(ends: number[]): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  const pieces = [...ends, bytes.length].map((end, index) => bytes.slice(ends[index - 1] ?? 0, end));
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) if (piece.length > 0) controller.enqueue(piece);
      controller.close();
    },
  });
  const handler = {
    field: () => Promise.reject(new Error("There is no field in it")),
    async file({ name }: { name: string }) {
      found[name] = "";
      return {
        async write(chunk: Uint8Array) {
          found[name] += new TextDecoder().decode(chunk);
        },
        end: async () => {},
      };
    },
  };
  await readMultipart({ body, contentType: type }, handler, { maxParts: 3 });
  return found;
}

test("a body reads the same wherever the network cuts it", async () => {
  const expected = Object.fromEntries(FILES.map(({ name, content }) => [name, content]));
  for (let cut = 1; cut < bytes.length; cut += 1) {
    expect([cut, await readInPieces([cut])]).toEqual([cut, expected]);
    for (let next = cut + 1; next < Math.min(cut + 8, bytes.length); next += 1)
      expect([cut, next, await readInPieces([cut, next])]).toEqual([cut, next, expected]);
  }
});
