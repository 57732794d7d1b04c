import * as v from "valibot";
import type { DocumentEntry } from "../../worker/contract/documents";
import { LIMITS } from "../../worker/contract/limits";
import { DEFAULT_FILE_TYPES } from "../../worker/contract/options";
import { messageKey, optionalText, requiredText } from "./form";

/** The schema of the requested documents of an envelope or a template; `missingName` is the message for a blank name. */
export const documentEntries = (missingName: ReturnType<typeof messageKey>) =>
  v.pipe(
    v.array(
      v.object({
        name: requiredText(missingName, LIMITS.name),
        description: optionalText(LIMITS.text),
        required: v.boolean(),
        allowedFileTypes: v.array(v.string()),
        multiple: v.boolean(),
      } satisfies Record<keyof DocumentEntry, unknown>),
    ),
    v.maxLength(LIMITS.documentsPerEnvelope, messageKey("tooLong")),
    uniqueNames(),
  );

export type DocumentValues = v.InferInput<ReturnType<typeof documentEntries>>[number];

export function emptyDocument(): DocumentValues {
  return {
    name: "",
    description: "",
    required: false,
    allowedFileTypes: [...DEFAULT_FILE_TYPES],
    multiple: false,
  };
}

/** Whether nothing was typed into the entry, so that replacing it loses nothing. */
export function isUntouched(entry: DocumentValues): boolean {
  return Object.values(entry).every((value) => typeof value !== "string" || value.trim() === "");
}

/** The stored documents as form values; one empty entry if there are none. */
export function editableDocuments(stored: readonly DocumentEntry[]): DocumentValues[] {
  if (stored.length === 0) return [emptyDocument()];
  return stored.map(({ name, description, required, allowedFileTypes, multiple }) => ({
    name,
    description: description ?? "",
    required,
    allowedFileTypes: [...allowedFileTypes],
    multiple,
  }));
}

/** Rejects repeated names, compared case-insensitively. Blank ones are ignored. */
function uniqueNames<Entry extends { name: string }>() {
  return v.rawCheck<Entry[]>(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const list = dataset.value;
    const seen = new Set<string>();
    list.forEach((entry, index) => {
      const name = entry.name.trim().toLowerCase();
      if (seen.has(name))
        addIssue({
          message: messageKey("documentNamesUnique"),
          path: [
            { type: "array", origin: "value", input: list, key: index, value: entry },
            { type: "object", origin: "value", input: { ...entry }, key: "name", value: entry.name },
          ],
        });
      if (name) seen.add(name);
    });
  });
}
