import { useTranslation } from "react-i18next";
import { regionalLocale } from "../../../lib/format";
import { useFormat } from "../../../lib/use-format";
import type { EnvelopeDocument } from "./document-answers";

export type AnswerValue = NonNullable<NonNullable<EnvelopeDocument["answer"]>["value"]>;

/** An answer, or a bound of one, as the account's language writes it. */
export function useAnswerText(kind: EnvelopeDocument["kind"]): (value: AnswerValue) => string {
  const { t, i18n } = useTranslation("questions");
  const format = useFormat();
  return (value) => {
    if (kind === "yesNo") return t(value === "yes" ? "yes" : "no");
    if (kind === "date") return value === "today" ? t("today") : format.day(String(value));
    if (kind === "number") return formatDecimal(String(value), regionalLocale(i18n.language));
    return [value].flat().join(", ");
  };
}

/** "1,234.50" for "1234.50", with all of its digits: as a JavaScript number it could lose some. */
export function formatDecimal(decimal: string, locale: string): string {
  const minimumFractionDigits = decimal.split(".")[1]?.length ?? 0;
  const format = new Intl.NumberFormat(locale, { minimumFractionDigits, maximumFractionDigits: 6 });
  return format.format(decimal as `${number}`);
}
