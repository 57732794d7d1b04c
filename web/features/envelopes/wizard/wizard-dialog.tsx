import { useTranslation } from "react-i18next";
import { isUnsent } from "../../../../worker/contract/options";
import { Button } from "../../../components/ui/button";
import { ChangedMeanwhileDialog } from "../../../components/ui/changed-meanwhile";
import { Dialog } from "../../../components/ui/dialog";
import { LoadingDialog } from "../../../components/ui/loading-dialog";
import { UnsavedChangesDialog } from "../../../components/ui/unsaved-changes";
import { today } from "../../../lib/time-zone";
import { useAccountTimeZone } from "../../auth/auth.queries";
import { ResendVerification } from "../notices";
import { EnvelopeSummary } from "./envelope-summary";
import { StepDocuments } from "./step-documents";
import { StepMessage } from "./step-message";
import { StepRecipient } from "./step-recipient";
import { StepSettings } from "./step-settings";
import { STEPS } from "./steps";
import { StepsDialog } from "./steps-dialog";
import { type NewEnvelopeOrigin, useOrigin } from "./use-origin";
import { useWizardForm } from "./use-wizard-form";
import type { WizardValues } from "./wizard.schema";
import { initialValues, valuesFromEnvelope, valuesOfCopy } from "./wizard-values";

type WizardDialogProps = NewEnvelopeOrigin & {
  editId: number | undefined;
  onSeveral: () => void;
  onRecurring: () => void;
  onClose: () => void;
};

/** Loads the wizard's initial values, then shows it. */
export default function WizardDialog(props: WizardDialogProps) {
  const { editId, templateId, contactId, copyId, onSeveral, onRecurring, onClose } = props;
  const { t } = useTranslation("envelopes");
  const day = today(useAccountTimeZone());
  const origin = useOrigin({ sourceId: editId ?? copyId, templateId, contactId });
  const { envelope, template, contact, workspace, workspaceId } = origin;
  const common = {
    title: editId === undefined ? t("wizard.createTitle") : t("wizard.editTitle"),
    onClose,
  };
  if (origin.pending)
    return (
      <LoadingDialog {...common} query={origin.pending} failedTitle={t("wizard.loadFailed")} width="lg" />
    );
  if (editId !== undefined && envelope)
    return (
      <WizardForm
        {...common}
        initialValues={valuesFromEnvelope(envelope)}
        editId={editId}
        origin=""
        sent={!isUnsent(envelope.status)}
        workspaceId={workspaceId}
      />
    );
  return (
    <WizardForm
      {...common}
      initialValues={
        envelope ? valuesOfCopy(envelope, day) : initialValues(workspace, template, contact, day)
      }
      origin={origin.key}
      workspaceId={workspaceId}
      onSeveral={onSeveral}
      onRecurring={onRecurring}
    />
  );
}

type WizardFormProps = {
  title: string;
  initialValues: WizardValues;
  editId?: number;
  origin: string;
  /** A sent envelope cannot become a draft. */
  sent?: boolean;
  workspaceId: number | undefined;
  onSeveral?: () => void;
  onRecurring?: () => void;
  onClose: () => void;
};

function WizardForm(props: WizardFormProps) {
  const {
    title,
    initialValues,
    editId,
    origin,
    sent = false,
    workspaceId,
    onSeveral,
    onRecurring,
    onClose,
  } = props;
  const { t } = useTranslation("envelopes");
  const wizard = useWizardForm({ initialValues, editId, origin, sent, workspaceId, onClose });
  const { step } = wizard;

  if (wizard.savedAsDraft) return <VerifyEmailDialog onClose={onClose} />;

  return (
    <StepsDialog
      title={title}
      width="lg"
      names={STEPS.map((name) => t(`wizard.steps.${name}`))}
      wizard={wizard}
      sendLabel={t(editId === undefined ? "wizard.create" : "wizard.update")}
      onSend={wizard.send}
      draft={sent ? undefined : { saving: wizard.drafting, onSave: wizard.saveDraft }}
      onClose={onClose}
      dialogs={
        <>
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
        </>
      }
    >
      {step === 0 && (
        <StepRecipient
          workspaceId={workspaceId}
          onSeveral={onSeveral && (() => wizard.carryOver("several", onSeveral))}
          onRecurring={onRecurring && (() => wizard.carryOver("recurring", onRecurring))}
        />
      )}
      {step === 1 && <StepMessage placeholders={wizard.placeholders} />}
      {step === 2 && <StepDocuments workspaceId={workspaceId} />}
      {step === 3 && (
        <StepSettings
          workspaceId={workspaceId}
          contactOffer={wizard.contactOffer}
          summary={
            <EnvelopeSummary
              workspaceId={workspaceId}
              sent={sent}
              contactId={wizard.contactId}
              placeholders={wizard.placeholders}
            />
          }
        />
      )}
    </StepsDialog>
  );
}

/** Replaces the wizard after its envelope was saved as a draft until the requestor's address is verified. */
function VerifyEmailDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(["envelopes", "common"]);
  return (
    <Dialog
      onClose={onClose}
      hideCloseButton
      title={t("wizard.verify.title")}
      footer={
        <>
          <Button onClick={onClose}>{t("common:close")}</Button>
          <ResendVerification variant="primary" />
        </>
      }
    >
      <p>{t("wizard.verify.saved")}</p>
      <p className="mt-3 text-ink-soft">{t("wizard.verify.text")}</p>
    </Dialog>
  );
}
