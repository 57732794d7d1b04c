import * as z from "zod";
import { type DocumentEntry, documentEntry } from "../contract/documents";

const FIELDS = Object.keys(documentEntry(z.string()).shape) as (keyof DocumentEntry)[];

/** The fields of a document that the requestor entered: those of `documentEntry`, without other stored columns. */
export function entryOf(document: DocumentEntry): DocumentEntry {
  return Object.fromEntries(FIELDS.map((field) => [field, document[field]])) as DocumentEntry;
}
