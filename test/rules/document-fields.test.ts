import { expect, test } from "bun:test";
import * as z from "zod";
import { documentEntry } from "../../worker/contract/documents";
import { readSources } from "./sources";

/** Where the browser uses the fields of a requested document, and which fields it does not show there. */
const USERS: Record<string, string[]> = {
  "web/components/document-fields.tsx": [],
  // The picker in the card shows the file types.
  "web/features/submit/files/document-card.tsx": ["allowedFileTypes"],
  "web/features/envelopes/detail/requested-documents.tsx": ["multiple"],
};

const sources = await readSources();

test.each(Object.entries(USERS))("%s uses each field of a requested document", (path, unused) => {
  const code = sources.find((source) => source.path === path)?.code ?? "";
  const fields = Object.keys(documentEntry(z.string()).shape).filter((field) => !unused.includes(field));
  expect(fields.filter((field) => !new RegExp(`\\b${field}\\b`).test(code))).toEqual([]);
});
