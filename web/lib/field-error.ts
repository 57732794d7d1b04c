import { useTranslation } from "#translation";
import type validation from "../../locales/en/validation.json";

/** A schema's message is a key of `validation.json`. */
export type ValidationKey = keyof typeof validation;

/** Translates a form error's message, which is a key or the server's text. */
export function useFieldError(): (error: { message?: string } | undefined) => string | undefined {
  const { t, i18n } = useTranslation("validation");
  return (error) => {
    if (!error?.message) return undefined;
    const known = i18n.exists(error.message, { ns: "validation" });
    return known ? t(error.message as ValidationKey) : error.message;
  };
}
