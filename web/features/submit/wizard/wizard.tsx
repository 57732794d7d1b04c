import { ArrowLeft, ArrowRight, Send, WifiOff } from "lucide-react";
import { useEffect, useRef } from "react";
import { isFilled } from "../../../../worker/contract/patterns";
import { Button } from "../../../components/ui/button";
import { useOnline } from "../../../lib/use-online";
import { allFiles, isInProgress } from "../files/document-files";
import { T, useTexts } from "../translation/use-texts";
import { LoadingStep, useLaterSteps } from "./load-later-steps";
import { StepList } from "./step-list";
import { TextField } from "./text-field";
import { useWizard, type WizardProps } from "./use-wizard";
import type { WizardState } from "./wizard-state";

/** Allows labels to wrap on phones. */
const TIGHT =
  "max-[419px]:h-auto max-[419px]:min-h-11 max-[419px]:shrink max-[419px]:whitespace-normal max-[419px]:px-4 " +
  "max-[419px]:py-1.5 max-[419px]:leading-5 max-[379px]:px-3";

export function Wizard({ wasSubmitted, ...props }: WizardProps & { wasSubmitted: () => boolean }) {
  const steps = useLaterSteps();
  const wizard = useWizard(props, steps);
  const { t } = useTexts();
  const { state } = wizard;
  const { step, sending, announcement } = state;
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
      onInput={({ currentTarget, target }) => wizard.handleInput(currentTarget, target as HTMLInputElement)}
      className="hide-on-failure mt-3 scroll-mt-4 border-line border-y bg-surface sm:mt-4 sm:rounded-card sm:border"
    >
      <OfflineNotice />
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
              onChange={wizard.previous}
            />
          )}
        </div>
        <p role="status" className="sr-only">
          {announcement && t(`announce.${announcement.kind}`, { file: announcement.file })}
        </p>
      </div>
      {/* Sticks to the bottom on a phone. The button at the right submits the form. */}
      <div className="sticky bottom-0 z-10 flex items-center justify-between huge:flex-wrap gap-3 border-line border-t bg-surface px-4 pt-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] sm:static sm:rounded-b-card sm:px-7 sm:py-4">
        {sending ? (
          <Button
            size="lg"
            variant="secondary"
            disabled={state.sent}
            onClick={wizard.cancel}
            className={TIGHT}
          >
            {t("cancelUpload")}
          </Button>
        ) : (
          <Button
            // WebKit goes on showing the prerendered English label if one element is translated and enabled at once.
            key={step === 0 ? "disabled" : "enabled"}
            size="lg"
            variant="secondary"
            onClick={wizard.previous}
            disabled={step === 0}
            className={TIGHT}
          >
            <ArrowLeft aria-hidden className="max-[359px]:hidden" />
            <T k="previous" />
          </Button>
        )}
        {step === 2 ? (
          <Button key="submit" type="submit" size="lg" variant="primary" loading={sending} className={TIGHT}>
            {!sending && <Send aria-hidden className="max-[419px]:hidden" />}
            {t(sending ? "uploading" : "submit")}
          </Button>
        ) : (
          <Button key="next" type="submit" size="lg" variant="primary" className="min-w-28 huge:min-w-0">
            <T k="next" />
            <ArrowRight aria-hidden />
          </Button>
        )}
      </div>
    </form>
  );
}

function OfflineNotice() {
  const { t } = useTexts();
  const online = useOnline();
  return (
    <div role="status" className="sticky top-0 z-10">
      {!online && (
        <p className="flex gap-3 bg-warn-soft px-5 py-3 text-warn sm:rounded-t-card sm:px-7">
          <WifiOff aria-hidden className="mt-0.5 size-5 shrink-0" />
          <span>{t("offline")}</span>
        </p>
      )}
    </div>
  );
}

/** Whether leaving the page would stop uploads or lose the note. */
const hasUnsaved = ({ documents, note }: WizardState): boolean =>
  allFiles(documents).some(isInProgress) ||
  isFilled(note) ||
  [...documents.values()].some(({ skipped, skipReason }) => skipped && isFilled(skipReason));

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

type StepInformationProps = Pick<WizardState, "information" | "invalid">;

function StepInformation({ information, invalid }: StepInformationProps) {
  const { t } = useTexts();
  return (
    <>
      <p className="text-ink-soft">
        <T k="information.hint" />
      </p>
      <div className="mt-5 flex flex-col gap-5">
        <TextField
          name="name"
          value={information.name}
          error={invalid.name && t(`information.${invalid.name}`)}
        />
        <TextField
          name="email"
          value={information.email}
          error={invalid.email && t(`information.${invalid.email}`)}
          // No toast says so, and Enter leaves the focus in the field.
          announced={invalid.email === "emailInvalid"}
        />
      </div>
    </>
  );
}
