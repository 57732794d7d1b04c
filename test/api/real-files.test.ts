import { expect, test } from "bun:test";
import { join } from "node:path";
import { file as read } from "bun";
import { REAL_FILES } from "../files/table";
import { describeApi } from "../support/api/client";
import { form, linkOf, sendEnvelope } from "../support/api/envelopes";
import { createTus } from "../support/api/tus";
import { zip } from "../support/files/files";

const FOLDER = join(import.meta.dir, "../files/real");
const files = await Promise.all(
  REAL_FILES.map(async (real) => {
    const bytes = await read(join(FOLDER, real.name)).bytes();
    return { ...real, document: `${real.program} ${real.name}`, file: new File([bytes], real.name) };
  }),
);
const BATCH = 60;
/** What browsers show, or may take for a page. */
const SHOWN = ["application/pdf", "image/png", "image/jpeg", "image/gif", "image/webp"];

const text = (content: string) => new TextEncoder().encode(content);
const hex = (digits: string) => Uint8Array.fromHex(digits.replaceAll(" ", ""));
const padded = (start: Uint8Array<ArrayBuffer>) => new Uint8Array([...start, ...new Uint8Array(600)]);

/** Programs, scripts and pages. A name of Office's old formats may stand for a page, and is not among these for it. */
const HARMFUL: Record<string, { content: Uint8Array<ArrayBuffer>; isPage?: boolean }> = {
  "this program": { content: await read(process.execPath).slice(0, 8000).bytes() },
  "a program for Windows": {
    content: padded(text("MZ\x90\0\x03\0\0\0\x04\0\0\0\xff\xff\0\0This program cannot be run in DOS mode")),
  },
  "a program for macOS": { content: padded(hex("cf fa ed fe 07 00 00 01 03 00 00 00 02 00 00 00")) },
  "a class of Java": { content: padded(hex("ca fe ba be 00 00 00 3d 00 1d 0a 00 02 00 03 07")) },
  "a program for Java": { content: await new Blob(zip({ "META-INF/MANIFEST.MF": "Main-Class: A" })).bytes() },
  "a link of Windows": {
    content: padded(hex("4c 00 00 00 01 14 02 00 00 00 00 00 c0 00 00 00 00 00 00 46")),
  },
  "a shell script": { content: text("#!/bin/sh\n# %PDF-1.4\nrm -rf ~\n") },
  "a batch file": { content: text("@echo off\r\ndel /q *.*\r\n") },
  "a page of PHP": { content: text("<?php system($_GET['c']); // %PDF-1.4\n") },
  "a page": { content: text("<!DOCTYPE html>\n<!-- %PDF-1.4 -->\n<script>alert(1)</script>"), isPage: true },
};
const NAMES = [
  "a.pdf",
  "a.jpg",
  "a.png",
  "a.heic",
  "a.docx",
  "a.xlsx",
  "a.doc",
  "a.xls",
  "a.tif",
  "a.zip",
  "a.mp4",
];

describeApi("real files", (api) => {
  test("a file of each program is accepted where its type is asked for, with the type of its content", async () => {
    const owner = await api.signUp();
    for (let start = 0; start < files.length; start += BATCH) {
      const batch = files.slice(start, start + BATCH);
      const documents = batch.map(({ document: name, types }) => ({ name, allowedFileTypes: types }));
      const envelope = await sendEnvelope(owner, { documents });
      const body = form(Object.fromEntries(batch.map(({ document, file }) => [document, file])));
      const response = await api.anonymous().post(linkOf(envelope), body);
      expect([response.status, response.body.message]).toEqual([201, undefined]);
      const { submissions } = (await owner.get(`/api/requests/${envelope.id}`)).body;
      const stored = submissions.map(({ documentName, mimeType }: Record<string, string>) => [
        documentName,
        mimeType,
      ]);
      expect(stored).toEqual(batch.map(({ document, mimeType }) => [document, mimeType]));
      const { status, headers } = await owner.get(submissions[0].url);
      const kind = SHOWN.includes(batch[0]?.mimeType ?? "") ? "inline" : "attachment";
      expect([
        status,
        headers.get("content-type"),
        headers.get("content-disposition")?.split(";")[0],
      ]).toEqual([200, batch[0]?.mimeType ?? "", kind]);
    }
  });

  test("so is each that arrives in small pieces", async () => {
    const envelope = await sendEnvelope(await api.signUp(), {
      documents: [{ name: "Scan", allowedFileTypes: ["tif", "pdf", "xlsx"] }],
    });
    const tus = createTus(api, envelope);
    const [{ id }] = (await api.anonymous().get(linkOf(envelope))).body.documents;
    for (const name of ["lzw.tif", "answer.pdf", "picture-first.xlsx"]) {
      const bytes = await read(join(FOLDER, name)).bytes();
      const created = await tus.create(id, name, bytes.length);
      const location = created.headers.get("location") ?? "";
      for (const [offset, end] of [
        [0, 70],
        [70, 700],
        [700, bytes.length],
      ] as const) {
        const { status, text } = await tus.patch(location, offset, bytes.slice(offset, end));
        expect([name, offset, status, text]).toEqual([name, offset, 204, ""]);
      }
      await tus.remove(location);
    }
  });

  test("programs, scripts and pages are refused under every other name", async () => {
    const documents = [{ name: "Any", required: true, allowedFileTypes: NAMES.map((name) => name.slice(2)) }];
    const link = linkOf(await sendEnvelope(await api.signUp(), { documents }));
    let refused = 0;
    for (const [what, { content, isPage }] of Object.entries(HARMFUL))
      for (const name of NAMES.filter((one) => !isPage || !/\.(?:doc|xls)$/.test(one))) {
        const { status, body } = await api.anonymous().post(link, form({ Any: new File([content], name) }));
        expect([what, name, status, body.code]).toEqual([what, name, 415, "file_content_mismatch"]);
        refused += 1;
      }
    expect(refused).toBeGreaterThan(100);
  });
});
