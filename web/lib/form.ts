import type { FieldValues, Path, UseFormSetError } from "react-hook-form";
import { check, maxLength, minLength, pipe, string, toLowerCase, trim } from "valibot";
import type validation from "../../locales/en/validation.json";
import { EMAIL_PATTERN } from "../../worker/contract/patterns";
import { ApiError } from "./api";
import { messageKeyOf } from "./error-text";

/** A schema's message is a key of `validation.json`. */
export type ValidationKey = keyof typeof validation;

/** Type-checks the key. */
export const messageKey = (key: ValidationKey): ValidationKey => key;

/** Text that may be blank. */
export const optionalText = (max: number) => pipe(string(), trim(), maxLength(max, messageKey("tooLong")));

/** Text that must not be blank. */
export const requiredText = (message: ValidationKey, max: number) =>
  pipe(string(), trim(), minLength(1, message), maxLength(max, messageKey("tooLong")));

/** Rejects text that is too long before the pattern is matched: matching a megabyte of text is slow. */
export const matches = (pattern: RegExp, max: number, message: ValidationKey) =>
  check((typed: string) => typed.length <= max && pattern.test(typed), message);

/** As `matches`, or blank. */
export const matchesOrBlank = (pattern: RegExp, max: number, message: ValidationKey) =>
  check((typed: string) => typed === "" || (typed.length <= max && pattern.test(typed)), message);

/** An address, trimmed and lower-cased. */
export const emailAddress = (message: ValidationKey, max: number) =>
  pipe(string(), trim(), toLowerCase(), matches(EMAIL_PATTERN, max, message));

/** As `emailAddress`, or blank. */
export const emailOrBlank = (message: ValidationKey, max: number) =>
  pipe(string(), trim(), toLowerCase(), matchesOrBlank(EMAIL_PATTERN, max, message));

/** Shows the server's validation issues under their fields; `isField` returns whether the form has a field. */
export function showServerIssues<Values extends FieldValues>(
  error: unknown,
  setError: UseFormSetError<Values>,
  isField: (path: string) => path is Path<Values>,
): void {
  if (!(error instanceof ApiError)) return;
  for (const { path, message } of error.issues) {
    if (isField(path)) setError(path, { type: "server", message: messageKeyOf(message) ?? message });
  }
}
