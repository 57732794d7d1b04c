import type { i18n } from "i18next";
import { CODES, type ErrorCode, KEYS_BY_MESSAGE } from "../../worker/contract/errors";
import { MESSAGES, type MessageKey } from "../../worker/contract/messages";
import { ApiError } from "./api";
import type { FailureText, TextKey } from "./mutation-meta";
import { fillText } from "./texts";
import { PasskeyError } from "./webauthn";

const MESSAGE_KEYS = new Map<string, MessageKey>(
  Object.entries(MESSAGES).map(([key, sentence]) => [sentence, key as MessageKey]),
);

/** The translation key of a validation message from the server. */
export function messageKeyOf(sentence: string): MessageKey | undefined {
  return MESSAGE_KEYS.get(sentence);
}

/** The namespaces that `errorText` needs; load them first. */
export const ERROR_NAMESPACES = ["errors", "validation"] as const;

function issueTexts(error: ApiError, t: i18n["t"]): string[] {
  const texts = error.issues.map(({ message }) => {
    const key = messageKeyOf(message);
    return key ? t(`validation:${key}`) : message;
  });
  return [...new Set(texts)];
}

/** The key of the translation. A code with several messages, such as `role_required`, has several keys. */
function errorKey(code: ErrorCode, { text, params }: ApiError): ErrorCode {
  const message = Object.entries(params).reduce(
    (sentence, [name, value]) => sentence.replace(String(value), `{{${name}}}`),
    text,
  );
  const key = Object.hasOwn(KEYS_BY_MESSAGE, message) ? KEYS_BY_MESSAGE[message] : undefined;
  return key && CODES[key] === code ? key : code;
}

const MISSING_SCRIPT =
  /^(?:Failed to fetch dynamically imported|error loading dynamically imported|Importing a) module/i;

/** Whether a script could not be loaded, often one that a newer version has removed. */
export const isMissingScript = (error: unknown): boolean =>
  error instanceof Error && MISSING_SCRIPT.test(error.message);

/** The message for a failure: translated by its code, else the server's text. */
export function errorText(error: unknown, t: i18n["t"]): string {
  if (error instanceof PasskeyError && error.problem !== "replaced")
    return t(`common:passkey.${error.problem}`, { host: error.host });
  if (isMissingScript(error)) return t("common:failure.outdated");
  if (!(error instanceof ApiError)) return t("common:failure.unknown");
  if (error.code === "network") return t("common:failure.network");
  if (error.code === "validation" && error.issues.length > 0) return issueTexts(error, t).join(" ");
  if (error.code === undefined) return error.text || t("common:failure.unknown");
  const key = errorKey(error.code, error);
  const template = t(`errors:${key}`, { defaultValue: "", skipInterpolation: true });
  const placeholders = template.match(/\{\{(\w+)\}\}/g) ?? [];
  const known = template && placeholders.every((slot) => Object.hasOwn(error.params, slot.slice(2, -2)));
  return known ? fillText(template, error.params) : error.text || t("common:failure.unknown");
}

/** A failure text for responses without a message. */
export function defaultFailureText(sentence: TextKey): FailureText {
  return (error) => (error instanceof ApiError && error.hasMessage ? undefined : sentence);
}
