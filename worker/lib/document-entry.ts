import { DOCUMENT_FIELDS, type DocumentEntry } from "../contract/documents";

/** The fields of a document that the requestor entered: those of `documentEntry`, without other stored columns. */
export function entryOf(document: DocumentEntry): DocumentEntry {
  return Object.fromEntries(DOCUMENT_FIELDS.map((field) => [field, document[field]])) as DocumentEntry;
}
