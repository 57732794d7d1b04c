import type { Answer } from "../../../../worker/contract/questions";
import type { RequestedDocument } from "../request/submission-api";
import { useTexts } from "../translation/use-texts";
import { typedOf } from "./answers";

/** An answer as people read it. */
export function useAnswerText() {
  const { t, day } = useTexts();
  return (document: Pick<RequestedDocument, "kind">, answer: Answer): string => {
    if (document.kind === "date") return day(String(answer));
    if (document.kind === "yesNo") return t(answer === "yes" ? "questions.yes" : "questions.no");
    return [typedOf(document, answer)].flat().join(", ");
  };
}
