import { memo, useId } from "react";
import { MAX_ANSWER, YES_NO } from "../../../../worker/contract/questions";
import { Badge } from "../../../components/ui/badge";
import { Button } from "../../../components/ui/button";
import { Separated } from "../../../components/ui/separated";
import { cx } from "../../../lib/cx";
import type { SkipAnswer } from "../files/document-files";
import { SkipField, TEXTAREA } from "../files/skip-field";
import type { RequestedDocument } from "../request/submission-api";
import { useTexts } from "../translation/use-texts";
import { Problem } from "../wizard/text-field";
import {
  type AnswerEntry,
  acceptOffered,
  leaveAnswer,
  readTyped,
  type Typed,
  today,
  typeAnswer,
  typedOf,
} from "./answers";
import { useAnswerText, useBounds } from "./use-answer-text";

type QuestionCardProps = {
  document: RequestedDocument;
  entry: AnswerEntry;
  skip: SkipAnswer;
  onSkip: (document: RequestedDocument, answer: SkipAnswer) => void;
};

/** One question: what is asked, its answer, and what is wrong with it. A key in it renders no other one. */
export const QuestionCard = memo(function QuestionCard({ document, entry, skip, onSkip }: QuestionCardProps) {
  const { t } = useTexts();
  const bounds = useBounds(document);
  const id = useId();
  const { problem } = entry;
  const isAnswered = entry.isKept || entry.typed.length > 0;
  const isSkipped = skip.skipped && !isAnswered;
  const isGroup = document.kind === "choice" || document.kind === "choices" || document.kind === "yesNo";
  const Frame = isGroup ? "fieldset" : "div";
  const Name = isGroup ? "legend" : "label";
  return (
    <li
      data-document={document.id}
      className={cx("scroll-mt-14 rounded-card border p-4", problem ? "border-bad" : "border-line")}
    >
      <Frame
        aria-describedby={isGroup ? `${id}-help${problem ? ` ${id}-problem` : ""}` : undefined}
        className="min-w-0"
      >
        <Name
          {...(!isGroup && { htmlFor: id })}
          className="flex w-full flex-wrap items-start justify-between gap-x-3 gap-y-1 font-semibold"
        >
          <span id={`${id}-name`} className="min-w-0 hyphens-auto break-words leading-6">
            {document.name}
          </span>
          <Badge tone={document.required ? "default" : "secondary"}>
            {t(document.required ? "required" : "optional")}
          </Badge>
        </Name>
        <div id={`${id}-help`}>
          {document.description && (
            <p className="mt-1 whitespace-pre-line break-words text-ink-soft">{document.description}</p>
          )}
          {document.reason && (
            <p className="mt-2 whitespace-pre-line break-words rounded-control bg-warn-soft p-3">
              {t("questions.returned", { reason: document.reason })}
            </p>
          )}
        </div>
        {!isSkipped && (
          <div className="mt-3 flex flex-col gap-2">
            <Offered document={document} entry={entry} />
            <Field id={id} document={document} entry={entry} />
            <Hint id={`${id}-hint`} document={document} entry={entry} />
          </div>
        )}
        {problem && !isSkipped && (
          <div className="mt-2">
            <Problem id={`${id}-problem`} announced={problem !== "answerRequired"}>
              {t(`questions.problems.${problem}`, {
                decimals: String(document.decimals),
                min: bounds.min ?? "",
                max: bounds.max ?? "",
              })}
            </Problem>
          </div>
        )}
      </Frame>
      {document.required && document.reasonAllowed && !isAnswered && (
        <SkipField
          document={document}
          describedBy={`${id}-name`}
          skipped={skip.skipped}
          skipReason={skip.skipReason}
          problemId={problem && `${id}-problem`}
          onChange={(answer) => onSkip(document, answer)}
        />
      )}
    </li>
  );
});

export const INPUT =
  "h-11 w-full min-w-0 rounded-control border border-line-strong bg-surface px-3 text-ink transition-colors duration-150 hover:border-ink-soft focus-visible:outline-offset-1 aria-invalid:border-bad";

type FieldProps = { id: string; document: RequestedDocument; entry: AnswerEntry };

/** The field of the answer; of a confidential one that is kept, a way to replace it. */
function Field({ id, document, entry }: FieldProps) {
  const { t } = useTexts();
  const { kind, confidential, required, answeredBefore } = document;
  if (kind === "choice" || kind === "choices" || kind === "yesNo")
    return <Choices document={document} typed={entry.typed} invalid={entry.problem !== null} />;
  const isAnswered = entry.typed === "" && (entry.isKept || (confidential && answeredBefore));
  const shared = {
    id,
    value: String(entry.typed),
    // An empty field would look as if nothing was saved.
    placeholder: entry.isKept ? "••••••••" : undefined,
    "aria-required": required || undefined,
    "aria-invalid": entry.problem ? true : undefined,
    "aria-describedby": `${id}-help ${id}-hint${entry.problem ? ` ${id}-problem` : ""}`,
    autoComplete: confidential ? "off" : undefined,
    onBlur: () => leaveAnswer(document),
    onChange: (event: { currentTarget: { value: string } }) =>
      typeAnswer(document, event.currentTarget.value),
  };
  return (
    <>
      {isAnswered && (
        <p className="flex flex-wrap items-center gap-x-2 text-ink-soft">
          {t("questions.kept")}{" "}
          <Button
            variant="ghost"
            aria-describedby={`${id}-name`}
            className="min-h-11 underline underline-offset-2"
            onClick={() => globalThis.document.getElementById(id)?.focus()}
          >
            {t("questions.replace")}
          </Button>
        </p>
      )}
      {kind === "longText" ? (
        <textarea {...shared} rows={4} maxLength={MAX_ANSWER.longText} className={TEXTAREA} />
      ) : kind === "date" ? (
        <input
          {...shared}
          type="date"
          onBlur={(event) => leaveAnswer(document, event.currentTarget.validity.badInput)}
          min={dayOf(document.min)}
          max={dayOf(document.max)}
          className={cx(INPUT, "w-fit")}
        />
      ) : (
        <input
          {...shared}
          type={document.format === "email" ? "email" : "text"}
          inputMode={kind === "number" ? "decimal" : undefined}
          maxLength={MAX_ANSWER.text}
          spellCheck={kind === "text" && !document.format}
          className={INPUT}
        />
      )}
    </>
  );
}

/** A fixed bound of a date; today's changes while the page is open, and is checked when the field is left. */
const dayOf = (bound: string | null) => (bound === null || bound === "today" ? undefined : bound);

type ChoicesProps = { document: RequestedDocument; typed: Typed; invalid: boolean };

function Choices({ document, typed, invalid }: ChoicesProps) {
  const { t } = useTexts();
  const name = useId();
  const { kind, options, required } = document;
  const chosen: readonly string[] = typeof typed === "string" ? [typed] : typed;
  const several = kind === "choices";
  const choose = (option: string, checked: boolean) => {
    const others = chosen.filter((one) => one !== option && one !== "");
    typeAnswer(document, several ? (checked ? [...others, option] : others) : option);
    leaveAnswer(document);
  };
  return (
    <div className="flex flex-col gap-1">
      {(kind === "yesNo" ? YES_NO : options).map((option) => (
        <label
          key={option}
          className="flex min-h-11 cursor-pointer items-center gap-2.5 rounded-control border border-line px-3 py-2 has-checked:border-accent has-checked:bg-accent-soft"
        >
          <input
            type={several ? "checkbox" : "radio"}
            name={name}
            checked={chosen.includes(option)}
            aria-invalid={invalid || undefined}
            onChange={(event) => choose(option, event.currentTarget.checked)}
            className="size-5 shrink-0"
            style={{ accentColor: "var(--accent)" }}
          />
          <span className="min-w-0 hyphens-auto break-words">
            {kind === "yesNo" ? t(`questions.${option as "yes"}`) : option}
          </span>
        </label>
      ))}
      {!required && !several && chosen.some((option) => option !== "") && (
        <Button
          variant="ghost"
          className="w-fit"
          onClick={() => {
            typeAnswer(document, "");
            leaveAnswer(document);
          }}
        >
          {t("questions.clear")}
        </Button>
      )}
    </div>
  );
}

/** What is allowed, how a number is understood, that nobody sees a confidential answer, and that it is saved. */
function Hint({ id, document, entry }: FieldProps) {
  const { t } = useTexts();
  const bounds = useBounds(document);
  const { kind, confidential } = document;
  const read = kind === "number" && entry.typed !== "" ? readTyped(document, entry.typed) : null;
  const understood = read && "answer" in read ? read.answer : null;
  return (
    <p id={id} className="text-ink-soft text-sm empty:hidden">
      <Separated>
        {understood && t("questions.understood", { number: String(typedOf(document, understood)) })}
        {bounds.min}
        {bounds.max}
        {confidential && t("questions.confidential")}
        {entry.isSaved && <span className="font-medium text-good">{t("questions.saved")}</span>}
      </Separated>
    </p>
  );
}

/** What was typed here and not sent, or an earlier answer of the same person, until there is another one. */
export function Offered({ document, entry }: { document: RequestedDocument; entry: AnswerEntry }) {
  const { t, day } = useTexts();
  const answerText = useAnswerText();
  const { typed, late } = entry;
  const { offered } = document;
  if (!late && (!offered || typed.length > 0)) return null;
  const read = late && readTyped(document, late.typed);
  const answer = read ? "answer" in read && read.answer : offered?.value;
  return (
    <div className="rounded-control bg-sunken p-3">
      <p className="break-words">
        {t("questions.offered", {
          date: day(late ? today(late.at) : (offered?.answeredAt ?? "")),
          answer: answer ? answerText(document, answer) : [late?.typed ?? ""].flat().join(", "),
        })}
      </p>
      <div className="mt-2 flex flex-wrap gap-2">
        <Button onClick={() => acceptOffered(document)}>{t("questions.stillCorrect")}</Button>
        <Button
          variant="ghost"
          onClick={({ currentTarget }) =>
            currentTarget
              .closest("li")
              ?.querySelector<HTMLElement>("input:not([type='file']), textarea")
              ?.focus()
          }
        >
          {t("questions.change")}
        </Button>
      </div>
    </div>
  );
}
