import { expect, test } from "bun:test";
import { describeApi } from "../support/api/client";
import { form } from "../support/api/envelopes";
import { multipart } from "../support/api/multipart";
import { jpegFile, pdfFile, pngFile, pngOfSize, sha256 } from "../support/files/files";

const bytesOf = (base64: string) => Uint8Array.fromBase64(base64);
const GIF = bytesOf("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7");
const WEBP = bytesOf("UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA");

/** A GIF that declares this width for itself, and for its frame. */
function gifOfSize(own: number, frame: number): File {
  const bytes = GIF.slice();
  const view = new DataView(bytes.buffer);
  view.setUint16(6, own, true);
  view.setUint16(bytes.indexOf(0x2c) + 5, frame, true);
  return new File([bytes], "large.gif");
}

const MAX = 5 * 1024 * 1024;

describeApi("the avatar", (api) => {
  test("the type of a picture is detected from its content, and only its owner can download it", async () => {
    const [alice, bob] = [await api.signUp(), await api.signUp()];
    const pictures = [
      [jpegFile("me.txt"), "image/jpeg"],
      [pngFile("me"), "image/png"],
      [new File([GIF], "a.exe"), "image/gif"],
      [new File([WEBP], "b.jpg"), "image/webp"],
    ] as const;
    for (const [avatar, type] of pictures) {
      const { status, body } = await alice.post("/api/user/avatar", form({ avatar }));
      expect([status, body.id]).toEqual([200, alice.id]);
      expect(body.avatarUrl).toMatch(/^\/uploads\/[\w-]{24}$/);
      const served = await alice.get(body.avatarUrl);
      expect([served.status, served.headers.get("content-type")]).toEqual([200, type]);
      expect(await sha256(await alice.bytes(body.avatarUrl))).toBe(await sha256(avatar));
      for (const other of [bob, api.anonymous()]) expect((await other.get(body.avatarUrl)).status).toBe(404);
    }
  });

  test("a new picture replaces the old file", async () => {
    const alice = await api.signUp();
    const before = await api.storedFiles();
    const first = await alice.post("/api/user/avatar", form({ avatar: pngFile() }));
    const second = await alice.post("/api/user/avatar", form({ avatar: jpegFile() }));
    await api.finishBackgroundWork();
    const added = (await api.storedFiles()).filter((name) => !before.includes(name));
    expect(added.map((name) => `/uploads/${name}`)).toEqual([second.body.avatarUrl]);
    expect((await alice.get(first.body.avatarUrl)).status).toBe(404);
    expect((await alice.get("/api/user")).body.avatarUrl).toBe(second.body.avatarUrl);
  });

  test("a rejected picture leaves the old one in place and no other file", async () => {
    const alice = await api.signUp();
    const previous = await alice.post("/api/user/avatar", form({ avatar: pngFile() }));
    await api.finishBackgroundWork();
    const before = await api.storedFiles();
    const png = await pngFile().bytes();
    const svg = new File(['<svg xmlns="http://www.w3.org/2000/svg"/>'], "a.png", { type: "image/png" });
    const plain = new FormData();
    plain.append("avatar", "text");
    const two = new FormData();
    for (const name of ["a.png", "b.png"]) two.append("avatar", pngFile(name));
    const cut = multipart([{ name: "avatar", fileName: "a.png", content: png }], { closing: "" });
    const rejections = [
      [form({ avatar: pdfFile("a.png") }), 415, "avatar_type_not_allowed"],
      [form({ avatar: svg }), 415, "avatar_type_not_allowed"],
      [form({ avatar: new File(["<html></html>"], "a.png") }), 415, "avatar_type_not_allowed"],
      [
        form({ avatar: new File([png, new Uint8Array(MAX + 1 - png.length)], "a.png") }),
        413,
        "avatar_too_large",
      ],
      [
        form({ avatar: new File([png.slice(0, 12), new Uint8Array(200)], "a.png") }),
        415,
        "avatar_type_not_allowed",
      ],
      [form({ avatar: await pngOfSize(30_000, 30_000) }), 413, "avatar_too_many_pixels"],
      [form({ avatar: await pngOfSize(1, 4001) }), 413, "avatar_too_many_pixels"],
      [form({ avatar: gifOfSize(30_000, 1) }), 413, "avatar_too_many_pixels"],
      [form({ avatar: gifOfSize(1, 30_000) }), 413, "avatar_too_many_pixels"],
      [form({ avatar: new File([], "a.png") }), 400, "avatar_missing"],
      [form({ picture: pngFile() }), 400, "avatar_missing"],
      [plain, 400, "avatar_missing"],
      [new FormData(), 400, "avatar_missing"],
      [two, 400, "malformed_multipart"],
      [{ avatar: "x" }, 415, "multipart_required"],
    ] as const;
    for (const [body, status, code] of rejections) {
      const response = await alice.post("/api/user/avatar", body);
      expect([response.status, response.body.code]).toEqual([status, code]);
    }
    const broken = await alice.send("POST", "/api/user/avatar", cut.bytes, { "content-type": cut.type });
    expect([broken.status, broken.body.code]).toEqual([400, "upload_interrupted"]);
    expect(await api.storedFiles()).toEqual(before);
    expect((await alice.get("/api/user")).body.avatarUrl).toBe(previous.body.avatarUrl);
    const largest = new File([png, new Uint8Array(MAX - png.length)], "a.png");
    const jpeg = await jpegFile().bytes();
    // Metadata of 64 KiB each, before its size.
    const metadata = new Uint8Array(32 * 65_537);
    for (let offset = 0; offset < metadata.length; offset += 65_537)
      metadata.set([0xff, 0xef, 0xff, 0xff], offset);
    const withMetadata = new File([jpeg.slice(0, 2), metadata, jpeg.slice(2)], "a.jpg");
    for (const avatar of [largest, withMetadata, await pngOfSize(4000, 4000)])
      expect((await alice.post("/api/user/avatar", form({ avatar }))).status).toBe(200);
  });
});
