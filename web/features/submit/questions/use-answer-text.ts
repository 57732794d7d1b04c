import type { Answer } from "../../../../worker/contract/questions";
import { regionalLocale } from "../../../lib/format";
import { writeNumber } from "../../../lib/typed-number";
import type { RequestedDocument } from "../request/submission-api";
import { useTexts } from "../translation/use-texts";
import { groupIban } from "./answers";

/** An answer as people read it. */
export function useAnswerText() {
  const { t, day, language } = useTexts();
  return (document: Pick<RequestedDocument, "kind" | "format">, answer: Answer): string => {
    if (document.kind === "date" || document.kind === "file") return day(String(answer));
    if (document.kind === "yesNo") return t(answer === "yes" ? "questions.yes" : "questions.no");
    if (document.kind === "number") return writeNumber(String(answer), regionalLocale(language));
    if (document.format === "iban") return groupIban(String(answer));
    return [answer].flat().join(", ");
  };
}

/** The bounds of a number or a date as people read them. */
export function useBounds({ kind, min, max }: Pick<RequestedDocument, "kind" | "min" | "max">) {
  const { t, day, language } = useTexts();
  const bound = (text: string | null, side: "from" | "to") => {
    if (text === null) return null;
    if (text === "today") return t(`questions.${side}Today`);
    return kind === "date"
      ? t(`questions.${side}Day`, { value: day(text) })
      : t(`questions.${side}`, { value: writeNumber(text, language) });
  };
  return { min: bound(min, "from"), max: bound(max, "to") };
}
