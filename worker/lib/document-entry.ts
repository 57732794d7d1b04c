import * as z from "zod";
import { documentEntry } from "../contract/documents";

const entry = documentEntry(z.string());
type DocumentEntry = z.output<typeof entry>;

const FIELDS = Object.keys(entry.shape) as (keyof DocumentEntry)[];

/** The fields of a document that the requestor entered: those of `documentEntry`, without other stored columns. */
export function entryOf(document: DocumentEntry): DocumentEntry {
  return Object.fromEntries(FIELDS.map((field) => [field, document[field]])) as DocumentEntry;
}
