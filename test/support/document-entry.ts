import { DOCUMENT_DEFAULTS, type DocumentEntry } from "../../worker/contract/documents";

const otherThan = (field: string, value: unknown) => {
  if (typeof value === "boolean") return !value;
  return Array.isArray(value) ? ["png"] : `The ${field}`;
};

/** A requested document in which no field has its default. */
export const FILLED_DOCUMENT = Object.fromEntries(
  Object.entries(DOCUMENT_DEFAULTS).map(([field, value]) => [field, otherThan(field, value)]),
) as DocumentEntry;
