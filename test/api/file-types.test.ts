import { beforeAll, expect, test } from "bun:test";
import { describeApi, type SignedUp } from "../support/api/client";
import { form, linkOf, sendEnvelope } from "../support/api/envelopes";
import { docxFile, jpegFile, pdfFile, pngFile } from "../support/files/files";
import { readZip } from "../support/files/zip";

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
  let owner: SignedUp;
  beforeAll(async () => {
    owner = await api.signUp();
  });

  const send = async (files: File[]) => {
    const documents = files.map((file, index) => ({
      name: nameOf(file, index),
      allowedFileTypes: [extensionOf(file)],
    }));
    return linkOf(await sendEnvelope(owner, { documents }));
  };

  async function expectAccepted(files: File[]): Promise<void> {
    const body = form(Object.fromEntries(files.map((file, index) => [nameOf(file, index), file])));
    const response = await api.anonymous().post(await send(files), body);
    expect([response.status, response.body.message]).toEqual([201, undefined]);
  }

  async function expectRejected(files: File[]): Promise<void> {
    for (const file of files) {
      const { status, body } = await api
        .anonymous()
        .post(await send([file]), form({ [nameOf(file, 0)]: file }));
      expect([file.name, status, body.code]).toEqual([file.name, 415, "file_content_mismatch"]);
    }
  }

  test("a file of each type is recognized by its content", async () => {
    await expectAccepted(RECOGNIZED);
  });

  test("what is not among the first bytes is not checked", async () => {
    const farDirectory = [0xff, 0xff, 0x0f, 0];
    const profile = new Uint8Array(9000).fill(1);
    await expectAccepted([
      new File([new Uint8Array([0x49, 0x49, 0x2a, 0, ...farDirectory])], "short.tif"),
      new File([new Uint8Array([0x4d, 0x4d, 0, 0x2a, 0, 0, 0xff, 0xff]), profile], "far.tif"),
      new File([new Uint8Array([0x49, 0x49, 0x2b, 0, 8, 0, 0, 0]), profile], "big.tif"),
      new File([new Uint8Array([0x4d, 0x4d, 0, 0x2b, 0, 8, 0, 0]), profile], "big-endian.tif"),
      fileOf("tif", ["II*", 0, 8, 0, 0, 0, 0x1c, 0, 0xfe, 0]),
      new File(
        [(await pngFile().bytes()).slice(0, 33), new Uint8Array([0, 0, 0x40, 0]), "iCCP", profile],
        "a.png",
      ),
      fileOf("mp3", ["ID3", 3, 0, 0, 0, 0, 0, 5]),
      fileOf("mp4", [0, 0, 0, 24, "ftyp3gp4", 0, 0, 0, 0, "isom3gp4"]),
      fileOf("mov", [0, 0, 0, 8, "skip"]),
      fileOf("heic", [0, 0, 0, 24, "ftypmif1", 0, 0, 0, 0, "mif1heic"]),
      fileOf("avif", [0, 0, 0, 24, "ftypmif1", 0, 0, 0, 0, "mif1avif"]),
    ]);
  });

  test("a PDF begins within its first 1,024 bytes, unless another type begins first", async () => {
    const pdf = (before: string) => new File([before, pdfFile()], "a.pdf");
    await expectAccepted([
      pdf("\x1b%-12345X@PJL\r\n"),
      pdf("HTTP/1.1 200 OK\r\n\r\n"),
      pdf("x".repeat(1019)),
    ]);
    await expectRejected([
      pdf("x".repeat(1020)),
      pdf("MZ\0\0"),
      pdf("\x7fELF"),
      pdf("PK\x03\x04\x14\0"),
      new File([jpegFile(), pdfFile()], "a.pdf"),
      pdf("#!/bin/sh\n"),
    ]);
  });

  test("extensions that name one format are one", async () => {
    for (const equal of [
      ["jpg", "jpeg", "jpe", "jfif"],
      ["tif", "tiff"],
      ["heic", "heif"],
      ["html", "htm"],
    ]) {
      const content = equal.includes("jpg")
        ? await jpegFile().bytes()
        : equal.includes("tif")
          ? Uint8Array.of(0x49, 0x49, 0x2a, 0)
          : equal.includes("heic")
            ? await fileOf("", media("heic")).bytes()
            : new TextEncoder().encode("<p>");
      for (const asked of equal)
        for (const sent of equal) {
          const file = new File([content], `A.${sent.toUpperCase()}`);
          const documents = [{ name: "One", allowedFileTypes: [asked] }];
          const envelope = await sendEnvelope(owner, { documents });
          expect(envelope.documents[0].allowedFileTypes).toEqual([asked]);
          const response = await api.anonymous().post(linkOf(envelope), form({ One: file }));
          expect([asked, sent, response.status]).toEqual([asked, sent, 201]);
        }
    }
  });

  test("a picture under another picture's name is what it is, wherever both are accepted", async () => {
    const sent = { Pass: jpegFile("IMG_1.HEIC"), Chat: fileOf("jpeg", riff("WEBP")) };
    const documents = [
      { name: "Pass", allowedFileTypes: ["pdf", "jpeg", "heif"] },
      { name: "Chat", allowedFileTypes: ["JPG", "webp"] },
    ];
    const envelope = await sendEnvelope(owner, { documents });
    expect((await api.anonymous().post(linkOf(envelope), form(sent))).status).toBe(201);
    const { submissions } = (await owner.get(`/api/requests/${envelope.id}`)).body;
    const served = await Promise.all(
      submissions.map(async ({ url, fileName, mimeType }: Record<string, string>) => {
        const { headers } = await owner.get(`${url}?download`);
        const name = headers.get("content-disposition")?.split("''")[1];
        return [fileName, mimeType, headers.get("content-type"), name];
      }),
    );
    expect(served).toEqual([
      ["IMG_1.HEIC", "image/jpeg", "image/jpeg", "IMG_1.jpg"],
      ["file.jpeg", "image/webp", "image/webp", "file.webp"],
    ]);
    const archive = readZip(await owner.bytes(`/api/requests/${envelope.id}/files.zip`));
    expect([...archive.keys()]).toEqual([
      "manifest.csv",
      "Pass - Rita Recipient.jpg",
      "Chat - Rita Recipient.webp",
    ]);
  });

  test("a picture that is not accepted is named, as it is and as it was called", async () => {
    const pictures = [
      [fileOf("jpg", riff("WEBP")), "WebP"],
      [new File([Uint8Array.of(0x49, 0x49, 0x2a, 0)], "a.jpg"), "TIFF"],
      [fileOf("jpg", ["BM"]), "BMP"],
      [fileOf("jpg", ["GIF89a"]), "GIF"],
      [fileOf("jpg", media("heic")), "HEIC"],
    ] as const;
    for (const [file, name] of pictures) {
      const { status, body } = await api
        .anonymous()
        .post(await send([file]), form({ [nameOf(file, 0)]: file }));
      expect([status, body.code]).toEqual([415, "file_content_mismatch"]);
      expect(body.message).toContain(`is a ${name} picture, named .jpg`);
      expect(body.params).toMatchObject({ picture: name, extension: "jpg", types: "jpg" });
    }
  });

  test("old names of Office stand for its text formats, which are only downloaded", async () => {
    const sent = {
      Account: new File(["<html><table><tr><td>1<script>alert(1)</script>"], "account.xls"),
      Letter: new File(["<!DOCTYPE html><p>Hello"], "letter.doc"),
    };
    const documents = Object.keys(sent).map((name) => ({ name, allowedFileTypes: ["xls", "doc"] }));
    const envelope = await sendEnvelope(owner, { documents });
    expect((await api.anonymous().post(linkOf(envelope), form(sent))).status).toBe(201);
    for (const { url } of (await owner.get(`/api/requests/${envelope.id}`)).body.submissions) {
      const { headers } = await owner.get(url);
      expect(headers.get("content-type")).toMatch(/^application\/(?:msword|vnd\.ms-excel)$/);
      expect(headers.get("content-disposition")).toStartWith("attachment;");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
    }
  });

  test("a film of another type is rejected by its content", async () => {
    await expectRejected(OTHERS);
  });

  test("a program is no text, however short", async () => {
    const starts = [
      ["\x7fELF", 2, 1, 1, 0],
      ["MZ", 0x90, 0, 3, 0],
      [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ];
    const extensions = ["txt", "csv", "json", "doc", "xls"];
    for (const start of starts)
      await expectRejected(
        extensions.map((extension) => new File([fileOf("", start).slice(0, 8)], `a.${extension}`)),
      );
  });
});
