import { expect, test } from "bun:test";
import { createSha256 } from "../../worker/adapters/bun/sha256";
import { createS3Destination } from "../../worker/adapters/shared/destinations/s3";
import { createWebdavDestination } from "../../worker/adapters/shared/destinations/webdav";
import { readImageSize } from "../../worker/lib/image-size";
import { readMultipart } from "../../worker/lib/multipart";
import { accessTo } from "../contract/destination-suite";
import { longestBlock } from "../support/loop/watch-loop";

const KEY = { accessKeyId: "key", secretAccessKey: "secret" };

test("headers that come byte by byte keep nobody waiting", async () => {
  const sent = new TextEncoder().encode(`--edge\r\n${"\r".repeat(16_000)}`);
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let index = 0; index < sent.length; index += 1) controller.enqueue(sent.slice(index, index + 1));
      controller.close();
    },
  });
  const contentType = "multipart/form-data; boundary=edge";
  const block = await longestBlock(async () => {
    const parts = readMultipart({ body, contentType }, { maxParts: 1 });
    await expect(parts.next()).rejects.toMatchObject({ code: "upload_interrupted" });
  });
  expect(block).toBeLessThan(1000);
});

test.each(["<", "<Code>"])(
  "a server that answers with %s thousands of times keeps nobody waiting",
  async (piece) => {
    const answer = piece.repeat(65_536 / piece.length);
    const fetchHostile = async () => new Response(answer, { status: 500 });
    const access = accessTo({
      access: {
        settings: { url: "https://dav.example.com", endpoint: "https://s3.example.com", bucket: "files" },
        credentials: KEY,
      },
    });
    const block = await longestBlock(async () => {
      for (const hostile of [
        createWebdavDestination(fetchHostile),
        createS3Destination(fetchHostile, createSha256),
      ])
        expect(await hostile.check(access)).toMatchObject({ kind: "again" });
    });
    expect(block).toBeLessThan(150);
  },
);

test.each([[[1]], [[0x21, 0xfe, 0]]])(
  "a picture of millions of blocks of %p keeps nobody waiting, and has no size",
  async (block) => {
    const bytes = new Uint8Array(40 * 1024 * 1024);
    for (let offset = 0; offset < bytes.length; offset += block.length)
      bytes.set(block.slice(0, bytes.length - offset), offset);
    bytes.set(new TextEncoder().encode("GIF89a"));
    bytes.set([0, 0, 0, 0, 0, 0, 0, 0x21, 0xfe, 1], 6);
    let size: unknown;
    const took = await longestBlock(async () => {
      size = readImageSize(bytes, "image/gif");
    });
    expect(size).toBeUndefined();
    expect(took).toBeLessThan(150);
  },
);
