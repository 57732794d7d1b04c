import { TriangleAlert, WifiOff } from "lucide-react";
import { useEffect, useRef } from "react";
import { useOnline } from "../../../lib/use-online";
import { allFiles, isInProgress } from "../files/document-files";
import { failureText } from "../request/failure-text";
import type { ApiResponse } from "../request/submission-api";
import { useTexts } from "../translation/use-texts";
import { ActionBar } from "./action-bar";
import { LoadingStep, useLaterSteps } from "./load-later-steps";
import { StepInformation } from "./step-information";
import { StepList } from "./step-list";
import { useWizard, type WizardProps } from "./use-wizard";
import type { Announcement, WizardState } from "./wizard-state";

export function Wizard({ wasSubmitted, ...props }: WizardProps & { wasSubmitted: () => boolean }) {
  const steps = useLaterSteps();
  const wizard = useWizard(props, steps);
  const { state } = wizard;
  const { step } = state;
  const { request } = props;
  const form = useRef<HTMLFormElement>(null);
  useFileGuards(hasUnsaved(state));
  useEffect(() => {
    // Next was pressed before hydration.
    if (wasSubmitted()) form.current?.requestSubmit();
  }, [wasSubmitted]);
  return (
    <form
      ref={form}
      noValidate
      onSubmit={wizard.next}
      onInput={(event) => wizard.handleInput(event.currentTarget)}
      className="hide-on-failure mt-3 scroll-mt-4 border-line border-y bg-surface sm:mt-4 sm:rounded-card sm:border"
    >
      <div className="px-5 pt-5 pb-6 sm:px-7 sm:pt-6 sm:pb-7">
        <StepList step={step} moved={state.moved} />
        <div className="mt-6">
          {step === 0 && <StepInformation information={state.information} invalid={state.invalid} />}
          {step > 0 && (!steps || !request) && <LoadingStep />}
          {step === 1 && steps && request && (
            <steps.StepDocuments
              token={props.token}
              request={request}
              documents={state.documents}
              wizard={wizard}
            />
          )}
          {step === 2 && steps && request && (
            <steps.StepReview
              token={props.token}
              state={state}
              request={request}
              onNote={wizard.changeNote}
            />
          )}
        </div>
        {step === 2 && state.failure && <Failure response={state.failure} />}
        <OfflineNotice />
        <p role="status" className="sr-only">
          {state.announcement && <Announced {...state.announcement} />}
        </p>
      </div>
      <ActionBar
        step={step}
        sending={state.sending}
        cancellable={!state.sent}
        onPrevious={wizard.previous}
        onCancel={wizard.cancel}
      />
    </form>
  );
}

/** Why the last attempt failed. It takes the focus, which the disabled button has lost. */
function Failure({ response }: { response: ApiResponse }) {
  const { t, texts } = useTexts();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (response) box.current?.focus();
  }, [response]);
  return (
    <div
      ref={box}
      tabIndex={-1}
      role="alert"
      className="mt-6 flex gap-3 rounded-card border border-bad bg-bad-soft p-4 outline-none"
    >
      <TriangleAlert aria-hidden className="mt-0.5 size-5 shrink-0 text-bad" />
      <div className="min-w-0 break-words">
        <p className="font-semibold text-bad">{t("failure.title")}</p>
        <p className="mt-1">{failureText(texts, response)}</p>
        <p className="mt-1 text-ink-soft text-sm">{t("failure.kept")}</p>
      </div>
    </div>
  );
}

function OfflineNotice() {
  const { t } = useTexts();
  const online = useOnline();
  return (
    <div role="status">
      {!online && (
        <p className="mt-6 flex gap-3 rounded-card bg-warn-soft p-4 text-warn">
          <WifiOff aria-hidden className="mt-0.5 size-5 shrink-0" />
          <span>{t("offline")}</span>
        </p>
      )}
    </div>
  );
}

function Announced({ kind, file }: Announcement) {
  const { t } = useTexts();
  return t(`announce.${kind}`, { file });
}

/** Whether leaving the page would stop uploads or lose the note. */
const hasUnsaved = ({ documents, note }: WizardState): boolean =>
  allFiles(documents).some(isInProgress) ||
  note.trim() !== "" ||
  [...documents.values()].some(({ skipped, skipReason }) => skipped && skipReason.trim() !== "");

/** Asks before the page is left, and ignores files dropped beside a document's card. */
function useFileGuards(active: boolean): void {
  useEffect(() => {
    if (!active) return;
    const confirmLeaving = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", confirmLeaving);
    return () => removeEventListener("beforeunload", confirmLeaving);
  }, [active]);
  useEffect(() => {
    const preventDrop = (event: DragEvent) => {
      if (event.defaultPrevented || !event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = "none";
    };
    addEventListener("dragover", preventDrop);
    addEventListener("drop", preventDrop);
    return () => {
      removeEventListener("dragover", preventDrop);
      removeEventListener("drop", preventDrop);
    };
  }, []);
}
