import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { createServer } from "node:net";
import { passOn } from "../../worker/features/destinations/pass-on";
import { seededBytes } from "../support/files/bytes";

const CHUNK_BYTES = 64 * 1024;

test("a receiver that stalls gets every byte, although the memory of each chunk is freed before the next", async () => {
  const bytes = seededBytes(16 * 1024 * 1024);
  const received = createHash("sha256");
  let count = 0;
  let stalls = 0;
  // A server of Bun would take the whole body at once.
  const server = createServer((socket) => {
    let head: string | undefined = "";
    socket.on("data", (data) => {
      if (head !== undefined) {
        head += data.toString("latin1");
        const end = head.indexOf("\r\n\r\n");
        if (end < 0) return;
        data = Buffer.from(head.slice(end + 4), "latin1");
        head = undefined;
      }
      received.update(data);
      count += data.length;
      if (count > stalls * 1024 * 1024) {
        stalls += 1;
        socket.pause();
        setTimeout(() => socket.resume(), 5);
      }
      if (count === bytes.length)
        socket.end("HTTP/1.1 201 Created\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    });
  });
  const listening = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", listening.resolve);
  await listening.promise;
  const chunks: Uint8Array[] = [];
  let offset = 0;
  const source = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const chunk = bytes.slice(offset, offset + CHUNK_BYTES);
        offset += CHUNK_BYTES;
        chunks.push(chunk);
        controller.enqueue(chunk);
        if (offset >= bytes.length) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  const { port } = server.address() as { port: number };
  const response = await fetch(`http://127.0.0.1:${port}/`, {
    method: "PUT",
    headers: { "Content-Length": String(bytes.length) },
    body: passOn(source, () => {}, undefined),
  });
  expect([response.status, received.digest("hex")]).toEqual([
    201,
    createHash("sha256").update(bytes).digest("hex"),
  ]);
  expect(chunks.every(({ byteLength }) => byteLength === 0)).toBe(true);
  server.close();
});
