import { Check, RotateCcw } from "lucide-react";
import { useId, useState } from "react";
import { FormProvider } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button";
import { ChangedMeanwhileDialog } from "../../../components/ui/changed-meanwhile";
import { Dialog } from "../../../components/ui/dialog";
import { UnsavedChangesDialog } from "../../../components/ui/unsaved-changes";
import { cx } from "../../../lib/cx";
import { useResendVerification } from "../../settings/settings.queries";
import { StepDocuments } from "./step-documents";
import { StepMessage } from "./step-message";
import { StepRecipient } from "./step-recipient";
import { StepSettings } from "./step-settings";
import { STEPS } from "./steps";
import { useWizardForm } from "./use-wizard-form";
import type { WizardValues } from "./wizard.schema";

type WizardFormProps = {
  title: string;
  initialValues: WizardValues;
  editId?: number;
  origin: string;
  /** A sent envelope cannot become a draft. */
  sent?: boolean;
  /** The name of the contact it starts with. */
  contact?: string | undefined;
  workspaceId: number | undefined;
  onClose: () => void;
};

export function WizardForm(props: WizardFormProps) {
  const { title, initialValues, editId, origin, sent = false, workspaceId, onClose } = props;
  const { t } = useTranslation("envelopes");
  const formId = useId();
  const wizard = useWizardForm({ initialValues, editId, origin, sent, workspaceId, onClose });
  const { form, step } = wizard;
  const last = step === STEPS.length - 1;
  // Survives its step, which is unmounted when another one is shown.
  const [contact, setContact] = useState(props.contact);

  if (wizard.savedAsDraft) return <VerifyEmailDialog onClose={onClose} />;

  return (
    <Dialog
      open
      onClose={onClose}
      width="lg"
      focus="field"
      title={title}
      header={<StepIndicator step={step} reached={wizard.reached} onShow={wizard.show} />}
      footer={
        <WizardFooter
          form={formId}
          first={step === 0}
          last={last}
          editing={editId !== undefined}
          canDraft={!sent}
          drafting={wizard.drafting}
          sending={wizard.sending}
          onCancel={onClose}
          onPrevious={wizard.previous}
          onDraft={wizard.saveDraft}
          onSend={wizard.send}
        />
      }
    >
      <FormProvider {...form}>
        <form
          id={formId}
          className="sm:min-h-84"
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            // Enter goes on, but never sends.
            if (!last) void wizard.next();
          }}
        >
          {wizard.restored && <RestoredNote onStartOver={wizard.startOver} />}
          <div key={step} className="appear">
            {step === 0 && (
              <StepRecipient workspaceId={workspaceId} contact={contact} onContact={setContact} />
            )}
            {step === 1 && <StepMessage placeholders={wizard.placeholders} />}
            {step === 2 && <StepDocuments workspaceId={workspaceId} />}
            {step === 3 && (
              <StepSettings
                workspaceId={workspaceId}
                sent={sent}
                placeholders={wizard.placeholders}
                contactOffer={wizard.contactOffer}
              />
            )}
          </div>
        </form>
      </FormProvider>
      <ChangedMeanwhileDialog conflict={wizard.conflict} />
      <UnsavedChangesDialog
        guard={wizard.guard}
        alternative={
          !sent && (
            <Button loading={wizard.drafting} onClick={wizard.saveDraftAndLeave}>
              {t("wizard.saveDraft")}
            </Button>
          )
        }
      />
    </Dialog>
  );
}

/** Says that the input is from before a reload or a new sign-in. */
function RestoredNote({ onStartOver }: { onStartOver: () => void }) {
  const { t } = useTranslation("envelopes");
  return (
    <div
      role="status"
      className="mb-4 flex flex-wrap items-center justify-between gap-x-3 gap-y-1 rounded-control bg-sunken py-1.5 pr-1.5 pl-3"
    >
      <p>{t("wizard.restored")}</p>
      <Button size="sm" variant="ghost" onClick={onStartOver}>
        <RotateCcw aria-hidden />
        {t("wizard.startOver")}
      </Button>
    </div>
  );
}

type StepIndicatorProps = { step: number; reached: number; onShow: (step: number) => void };

/**
 * The four steps by name; the current one is a heading, those that were shown before are buttons. On a phone only the
 * current name is visible, the others are bars.
 */
function StepIndicator({ step, reached, onShow }: StepIndicatorProps) {
  const { t } = useTranslation("envelopes");
  const progress = t("wizard.progress", { step: step + 1, count: STEPS.length });
  return (
    <>
      <ol aria-label={progress} className="mt-2 -mb-1.5 flex gap-2">
        {STEPS.map((name, index) => {
          const current = index === step;
          const Label = current ? "h3" : index <= reached ? "button" : "span";
          return (
            <li
              key={name}
              aria-current={current ? "step" : undefined}
              className={cx("flex-1", current ? "min-w-fit text-ink" : "min-w-0 text-ink-soft")}
            >
              <Label
                {...(Label === "button" && { type: "button", onClick: () => onShow(index) })}
                className={cx(
                  "group block w-full rounded-sm py-2 text-left text-xs leading-4",
                  current ? "whitespace-nowrap font-semibold" : "font-normal",
                  Label === "button" && "hover:text-ink",
                )}
              >
                <span
                  aria-hidden
                  className={cx(
                    "mb-1.5 block h-1 rounded-full transition-colors duration-150",
                    index <= step ? "bg-accent" : index <= reached ? "bg-line-strong" : "bg-line",
                  )}
                />
                <span className="flex items-center gap-1">
                  {index < step && (
                    <Check aria-hidden className="size-3.5 shrink-0 text-accent max-sm:hidden" />
                  )}
                  <span
                    className={cx(
                      !current && "truncate max-sm:sr-only",
                      Label === "button" && "group-hover:underline",
                    )}
                  >
                    {t(`wizard.steps.${name}`)}
                  </span>
                </span>
              </Label>
            </li>
          );
        })}
      </ol>
      <p aria-live="polite" className="sr-only">
        {progress}
      </p>
    </>
  );
}

type WizardFooterProps = {
  /** The id of the form that Next submits. */
  form: string;
  first: boolean;
  last: boolean;
  editing: boolean;
  canDraft: boolean;
  drafting: boolean;
  sending: boolean;
  onCancel: () => void;
  onPrevious: () => void;
  onDraft: () => void;
  onSend: () => void;
};

function WizardFooter(props: WizardFooterProps) {
  const { t } = useTranslation(["envelopes", "common"]);
  const pending = props.drafting || props.sending;
  return (
    <>
      <Button variant="ghost" onClick={props.onCancel} className="mr-auto">
        {t("common:cancel")}
      </Button>
      <Button disabled={props.first || pending} onClick={props.onPrevious}>
        {t("wizard.previous")}
      </Button>
      {!props.last && (
        <Button type="submit" form={props.form} variant="primary">
          {t("wizard.next")}
        </Button>
      )}
      {props.last && props.canDraft && (
        <Button loading={props.drafting} disabled={pending} onClick={props.onDraft}>
          {t("wizard.saveDraft")}
        </Button>
      )}
      {props.last && (
        <Button variant="primary" loading={props.sending} disabled={pending} onClick={props.onSend}>
          {props.editing ? t("wizard.update") : t("wizard.create")}
        </Button>
      )}
    </>
  );
}

/** Replaces the wizard after its envelope was saved as a draft until the requestor's address is verified. */
function VerifyEmailDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(["envelopes", "common"]);
  const resend = useResendVerification();
  return (
    <Dialog
      open
      onClose={onClose}
      hideCloseButton
      title={t("wizard.verify.title")}
      footer={
        <>
          <Button onClick={onClose}>{t("common:close")}</Button>
          <Button
            variant="primary"
            loading={resend.isPending}
            disabled={resend.isSuccess}
            onClick={() => resend.mutate()}
          >
            {resend.isSuccess ? t("wizard.verify.sent") : t("wizard.verify.send")}
          </Button>
        </>
      }
    >
      <p>{t("wizard.verify.saved")}</p>
      <p className="mt-3 text-ink-soft">{t("wizard.verify.text")}</p>
    </Dialog>
  );
}
