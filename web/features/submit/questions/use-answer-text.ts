import type { Answer } from "../../../../worker/contract/questions";
import { regionalLocale } from "../../../lib/format";
import { writeNumber } from "../../../lib/typed-number";
import type { RequestedDocument } from "../request/submission-api";
import { useTexts } from "../translation/use-texts";

/** An answer as people read it. */
export function useAnswerText() {
  const { t, day, language } = useTexts();
  return (document: Pick<RequestedDocument, "kind">, answer: Answer): string => {
    if (document.kind === "date") return day(String(answer));
    if (document.kind === "yesNo") return t(answer === "yes" ? "questions.yes" : "questions.no");
    if (document.kind === "number") return writeNumber(String(answer), regionalLocale(language));
    return [answer].flat().join(", ");
  };
}
