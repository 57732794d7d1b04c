import * as z from "zod";
import { documentEntry } from "../contract/documents";

const entry = documentEntry(z.string());
type DocumentEntry = z.output<typeof entry>;

const FIELDS = Object.keys(entry.shape) as (keyof DocumentEntry)[];

/** What the requestor entered of a document: the fields of `documentEntry`, and nothing else that is stored of it. */
export function entryOf(document: DocumentEntry): DocumentEntry {
  return Object.fromEntries(FIELDS.map((field) => [field, document[field]])) as DocumentEntry;
}
