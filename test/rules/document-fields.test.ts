import { expect, test } from "bun:test";
import * as z from "zod";
import { documentEntry } from "../../worker/contract/documents";
import { readSources } from "./sources";

/** Where the fields of a requested document are shown, and which of them are not shown there. */
const SHOWN_IN: Record<string, string[]> = {
  "web/components/document-fields.tsx": [],
  // The picker in the card shows the file types.
  "web/features/submit/files/document-card.tsx": ["allowedFileTypes"],
  "web/features/envelopes/detail/requested-documents.tsx": ["multiple"],
  "worker/features/notifications/recipient-mails.ts": ["multiple"],
};

const sources = await readSources();

test.each(Object.entries(SHOWN_IN))("%s shows each field of a requested document", (path, unused) => {
  const code = sources.find((source) => source.path === path)?.code ?? "";
  const fields = Object.keys(documentEntry(z.string()).shape).filter((field) => !unused.includes(field));
  expect(fields.filter((field) => !new RegExp(`\\b${field}\\b`).test(code))).toEqual([]);
});
