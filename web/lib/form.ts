import type { FieldValues, Path, UseFormSetError } from "react-hook-form";
import { maxLength, minLength, pipe, regex, string, toLowerCase, trim } from "valibot";
import type validation from "../../locales/en/validation.json";
import { EMAIL_PATTERN } from "../../worker/contract/patterns";
import { ApiError } from "./api";
import { messageKeyOf } from "./error-text";

/** A schema's message is the key of its sentence in `validation.json`. */
export type SentenceKey = keyof typeof validation;

/** Names a sentence, so that no key is misspelt. */
export const says = (key: SentenceKey): SentenceKey => key;

/** Text that may be blank. */
export const textUpTo = (max: number) => pipe(string(), trim(), maxLength(max, says("tooLong")));

/** Text that must hold something besides white space. */
export const filled = (message: SentenceKey, max: number) =>
  pipe(string(), trim(), minLength(1, message), maxLength(max, says("tooLong")));

/** An address, trimmed and lower-cased. */
export const emailAddress = (message: SentenceKey, max: number) =>
  pipe(string(), trim(), toLowerCase(), maxLength(max, message), regex(EMAIL_PATTERN, message));

const EMAIL_OR_BLANK = new RegExp(`^$|${EMAIL_PATTERN.source}`);

/** As `emailAddress`, or blank. */
export const emailOrBlank = (message: SentenceKey, max: number) =>
  pipe(string(), trim(), toLowerCase(), maxLength(max, message), regex(EMAIL_OR_BLANK, message));

/** Puts the server's objections under the fields they name; `known` tells which fields the form has. */
export function showIssues<Values extends FieldValues>(
  error: unknown,
  setError: UseFormSetError<Values>,
  known: (path: string) => path is Path<Values>,
): void {
  if (!(error instanceof ApiError)) return;
  for (const { path, message } of error.issues) {
    if (known(path)) setError(path, { type: "server", message: messageKeyOf(message) ?? message });
  }
}
