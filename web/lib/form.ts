import { useEffect } from "react";
import type { FieldValues, Path, PathValue, UseFormReturn, UseFormSetError } from "react-hook-form";
import {
  check,
  type GenericSchema,
  maxLength,
  minLength,
  nullable,
  pipe,
  string,
  transform,
  trim,
} from "valibot";
import { LIMITS } from "../../worker/contract/limits";
import {
  hasForeignMailbox,
  isEmailAddress,
  isFilled,
  isStorable,
  normalizeAddress,
} from "../../worker/contract/patterns";
import { ApiError, onSessionEnd } from "./api";
import { messageKeyOf } from "./error-text";
import type { ValidationKey } from "./field-error";
import { clearDraft, loadDraft, saveDraft } from "./session-draft";

export { useFieldError, type ValidationKey } from "./field-error";

/** Type-checks the key. */
export const messageKey = (key: ValidationKey): ValidationKey => key;

/** The check of a text that the server can store. */
export const storable = check(
  (text: string) => text.length > LIMITS.text || isStorable(text),
  messageKey("unsupportedCharacters"),
);

/** Text that may be blank. */
export const optionalText = (max: number) =>
  pipe(string(), trim(), maxLength(max, messageKey("tooLong")), storable);

/** Text that must not be blank. */
export const requiredText = (message: ValidationKey, max: number) =>
  pipe(string(), trim(), check(isFilled, message), maxLength(max, messageKey("tooLong")), storable);

/** Text that is sent as typed, with surrounding white space, and must not be blank. */
export const textAsTyped = (message: ValidationKey, max: number) =>
  pipe(string(), check(isFilled, message), maxLength(max, messageKey("tooLong")), storable);

/** Text that, as `read` reads it, is blank or satisfies a rule of `patterns.ts`. */
export const matchesOrBlank = (
  isValid: (text: string) => boolean,
  message: ValidationKey,
  read = (text: string) => text.trim(),
) =>
  pipe(
    string(),
    transform(read),
    check((typed) => typed === "" || isValid(typed), message),
  );

const address = (isValid: (text: string) => boolean, message: ValidationKey) =>
  pipe(
    string(),
    transform(normalizeAddress),
    check(isValid, ({ input }) => (hasForeignMailbox(input) ? messageKey("foreignMailbox") : message)),
  );

/** An address as `normalizeAddress` reads it. */
export const emailAddress = (message: ValidationKey) => address(isEmailAddress, message);

/** As `emailAddress`, or blank. */
export const emailOrBlank = (message: ValidationKey) =>
  address((text) => text === "" || isEmailAddress(text), message);

/** A password that exists. */
export const password = (missing: ValidationKey) =>
  pipe(string(), minLength(1, missing), maxLength(LIMITS.passwordMax, messageKey("tooLong")));

export const newPassword = pipe(
  string(),
  minLength(LIMITS.passwordMin, messageKey("passwordTooShort")),
  maxLength(LIMITS.passwordMax, messageKey("tooLong")),
);

/** The `updatedAt` of the entry that is edited, as it was read; null for a new one. */
export const readVersion = nullable(string());

/** The form values of a schema whose fields are all text: the entity's, blank where it has none. */
export function textValues<Name extends string>(
  { entries }: { entries: Record<Name, GenericSchema<string>> },
  entity: { [N in NoInfer<Name>]: string | null } | undefined,
): Record<Name, string> {
  const names = Object.keys(entries) as Name[];
  return Object.fromEntries(names.map((name) => [name, entity?.[name] ?? ""])) as Record<Name, string>;
}

/** The stored values of the fields that a blank form has, which stay blank where nothing is stored. */
export const filled = <Values extends object>(
  blank: Values,
  stored: { readonly [Name in keyof Values]?: Values[Name] | null | undefined },
): Values => ({
  ...blank,
  ...Object.fromEntries(
    Object.entries(stored).filter(([name, value]) => Object.hasOwn(blank, name) && value != null),
  ),
});

/** The values of changed fields, by `formState.dirtyFields`: what somebody else has changed meanwhile stays. */
export const changedValues = <Values extends object>(
  values: Values,
  dirtyFields: { readonly [Name in keyof Values]?: unknown },
): Partial<Values> =>
  Object.fromEntries(
    Object.entries(values).filter(([name]) => dirtyFields[name as keyof Values]),
  ) as Partial<Values>;

/** Shows what was saved; what was typed since the form was `sent` stays, unsaved. */
export function showSaved<Values extends Record<string, string>>(
  form: Pick<UseFormReturn<Values>, "getValues" | "reset" | "setValue">,
  sent: Values,
  saved: Values,
): void {
  const typed = Object.entries(form.getValues()).filter(([name, value]) => value !== sent[name]);
  form.reset(saved);
  for (const [name, value] of typed)
    form.setValue(name as Path<Values>, value as PathValue<Values, Path<Values>>, { shouldDirty: true });
}

/** Returns whether a path of the server's validation issues is a field of the schema. */
export const hasField =
  <Name extends string>({ entries }: { entries: Record<Name, unknown> }) =>
  (path: string): path is Name =>
    Object.hasOwn(entries, path);

/** Shows the server's validation issues under their fields, the first of which gets the focus; `isField` returns whether the form has a field. */
export function showServerIssues<Values extends FieldValues>(
  error: unknown,
  setError: UseFormSetError<Values>,
  isField: (path: string) => path is Path<Values>,
): void {
  if (!(error instanceof ApiError)) return;
  let shouldFocus = true;
  for (const { path, message } of error.issues) {
    if (!isField(path)) continue;
    setError(path, { type: "server", message: messageKeyOf(message) ?? message }, { shouldFocus });
    shouldFocus = false;
  }
}

/**
 * Saves unsaved input if the session ends, and restores it when the form is shown again after signing in. Values that
 * are never to be stored, such as passwords, must not be in the form.
 */
export function useRestoredInput<Values extends FieldValues>(
  form: Pick<UseFormReturn<Values>, "getValues" | "reset">,
  dirty: boolean,
  key: string,
): void {
  useEffect(() => {
    const values = form.getValues();
    const saved = loadDraft(key, values);
    clearDraft(key);
    if (saved !== values) form.reset(saved, { keepDefaultValues: true });
  }, [form, key]);
  useEffect(() => onSessionEnd(() => dirty && saveDraft(key, form.getValues())), [form, dirty, key]);
}
