import { useId } from "react";
import { cx } from "../../../lib/cx";
import type { RequestedDocument } from "../request/submission-api";
import { useTexts } from "../translation/use-texts";
import { Problem } from "../wizard/text-field";
import { answerOf, leaveAnswer, readTyped, today, typeAnswer, useAnswers } from "./answers";
import { INPUT, Offered } from "./question-card";

/** The day until which a chosen file is valid. */
export function ValidUntil({ document }: { document: RequestedDocument }) {
  const { t } = useTexts();
  const id = useId();
  const entry = answerOf(useAnswers(), document);
  const { typed, problem } = entry;
  const read = readTyped(document, typed);
  const isPast = "answer" in read && read.answer !== null && read.answer < today();
  return (
    <div className="mt-3 flex flex-col gap-1.5">
      <label htmlFor={id} className="font-semibold">
        {t("validity.validUntil")}
        <span className="sr-only">{` ${document.name}`}</span>
      </label>
      <input
        id={id}
        type="date"
        value={String(typed)}
        required
        aria-invalid={problem ? true : undefined}
        aria-describedby={problem ? `${id}-problem` : `${id}-past`}
        onBlur={() => leaveAnswer(document)}
        onChange={(event) => typeAnswer(document, event.currentTarget.value)}
        className={cx(INPUT, "w-fit")}
      />
      <Offered document={document} entry={entry} />
      <p id={`${id}-past`} role="status" className="text-sm text-warn empty:sr-only">
        {isPast && t("validity.past")}
      </p>
      {problem && (
        <Problem id={`${id}-problem`} announced={problem !== "answerRequired"}>
          {t(`questions.problems.${problem}`)}
        </Problem>
      )}
    </div>
  );
}
