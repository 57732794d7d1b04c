import { expect, test } from "bun:test";
import { describeApi } from "../support/api/client";
import { form, linkOf, sendEnvelope } from "../support/api/envelopes";
import { docxFile, jpegFile, pdfFile, pngFile } from "../support/files/files";

/** An ISO base media file of this brand. */
const media = (brand: string) => [0, 0, 0, 20, "ftyp", brand, 0, 0, 0, 0, brand];
const riff = (format: string) => ["RIFF", 8, 0, 0, 0, format];
const OLE = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
const ZIP = ["PK", 3, 4, 20, 0, 0, 0, 0, 0];
const EBML = [0x1a, 0x45, 0xdf, 0xa3, 0x84, 0x42, 0x82, 0x88, "matroska"];
const ASF = [0x30, 0x26, 0xb2, 0x75, 0x8e, 0x66, 0xcf, 0x11, 0xa6, 0xd9];

/** The first bytes of a file, as bytes and texts, followed by zeros. */
function fileOf(extension: string, start: (number | string)[]): File {
  const parts = start.map((part) => (typeof part === "string" ? part : Uint8Array.of(part)));
  return new File([...parts, new Uint8Array(1000)], `file.${extension}`);
}

/** A tar archive of one empty file. */
function tar(): Uint8Array<ArrayBuffer> {
  const header = new Uint8Array(1536);
  const write = (index: number, text: string) => header.set(new TextEncoder().encode(text), index);
  write(0, "a.txt");
  write(148, "        ");
  write(257, "ustar\u000000");
  write(
    148,
    `${header
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, "0")}\0 `,
  );
  return header;
}

const RECOGNIZED = [
  pdfFile("file.pdf"),
  new File([" \r\n", pdfFile()], "file.pdf"),
  pngFile("file.png"),
  jpegFile("file.jpg"),
  docxFile("file.docx"),
  fileOf("gif", ["GIF89a"]),
  fileOf("webp", riff("WEBP")),
  fileOf("avif", media("avif")),
  fileOf("heic", media("heic")),
  fileOf("tif", ["II*", 0, 8, 0, 0, 0]),
  fileOf("bmp", ["BM"]),
  fileOf("doc", OLE),
  fileOf("zip", ZIP),
  fileOf("7z", ["7z", 0xbc, 0xaf, 0x27, 0x1c]),
  fileOf("rar", ["Rar!", 0x1a, 0x07, 0]),
  new File([Bun.gzipSync("text")], "file.gz"),
  new File([Bun.gzipSync(tar())], "file.tar.gz"),
  fileOf("rtf", ["{\\rtf1"]),
  fileOf("mp4", media("isom")),
  fileOf("mov", media("qt  ")),
  fileOf("mp3", ["ID3", 4, 0, 0, 0, 0, 0, 0, 0xff, 0xfb, 0x90, 0]),
];
/** Films, which are accepted under no name of a type that is checked. */
const OTHERS = [fileOf("mp4", EBML), fileOf("mp3", ASF), fileOf("mov", ASF), fileOf("pdf", EBML)];

const nameOf = (file: File, index: number) => `${index + 1} ${file.name}`;
const extensionOf = (file: File) => file.name.split(".").at(-1) ?? "";

describeApi("the types of files", (api) => {
  const send = async (files: File[]) => {
    const documents = files.map((file, index) => ({
      name: nameOf(file, index),
      allowedFileTypes: [extensionOf(file)],
    }));
    return linkOf(await sendEnvelope(await api.signUp(), { documents }));
  };

  test("a file of each type is recognized by its content", async () => {
    const link = await send(RECOGNIZED);
    const body = form(Object.fromEntries(RECOGNIZED.map((file, index) => [nameOf(file, index), file])));
    const response = await api.anonymous().post(link, body);
    expect([response.status, response.body.message]).toEqual([201, undefined]);
  });

  test("a film of another type is rejected by its content", async () => {
    for (const file of OTHERS) {
      const { status, body } = await api
        .anonymous()
        .post(await send([file]), form({ [nameOf(file, 0)]: file }));
      expect([file.name, status, body.code]).toEqual([file.name, 415, "file_content_mismatch"]);
    }
  });
});
