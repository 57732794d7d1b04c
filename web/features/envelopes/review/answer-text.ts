import { useTranslation } from "react-i18next";
import { regionalLocale } from "../../../lib/format";
import { writeNumber } from "../../../lib/typed-number";
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
    if (kind === "number") return writeNumber(String(value), regionalLocale(i18n.language));
    return [value].flat().join(", ");
  };
}
