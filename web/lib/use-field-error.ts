import { useTranslation } from "react-i18next";
import type { ValidationKey } from "./form";

/** Translates a form error's message, which is a key or the server's text. */
export function useFieldError(): (error: { message?: string } | undefined) => string | undefined {
  const { t, i18n } = useTranslation("validation");
  return (error) => {
    if (!error?.message) return undefined;
    const known = i18n.exists(error.message, { ns: "validation" });
    return known ? t(error.message as ValidationKey) : error.message;
  };
}
