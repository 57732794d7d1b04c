import { useState } from "react";
import { FormProvider } from "react-hook-form";
import { Dialog } from "../../../components/ui/dialog";
import { UnsavedChangesDialog } from "../../../components/ui/unsaved-changes-dialog";
import { useStepFocus } from "../../../lib/use-step-focus";
import { StepDocuments } from "./step-documents";
import { StepIndicator } from "./step-indicator";
import { StepMessage } from "./step-message";
import { StepRecipient } from "./step-recipient";
import { StepSettings } from "./step-settings";
import { STEPS } from "./steps";
import { useWizardForm } from "./use-wizard-form";
import { VerifyEmailDialog } from "./verify-email-dialog";
import type { WizardValues } from "./wizard.schema";
import { WizardFooter } from "./wizard-footer";

type WizardFormProps = {
  title: string;
  initialValues: WizardValues;
  editId?: number;
  /** A sent envelope cannot become a draft. */
  sent?: boolean;
  /** The name of the contact it starts with. */
  contact?: string | undefined;
  workspaceId: number | undefined;
  onClose: () => void;
};

export function WizardForm(props: WizardFormProps) {
  const { title, initialValues, editId, sent = false, workspaceId, onClose } = props;
  const wizard = useWizardForm({ initialValues, editId, workspaceId, onClose });
  const { form, step } = wizard;
  const heading = useStepFocus(step);
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
      header={<StepIndicator step={step} heading={heading} />}
      footer={
        <WizardFooter
          first={step === 0}
          last={step === STEPS.length - 1}
          editing={editId !== undefined}
          canDraft={!sent}
          drafting={wizard.drafting}
          sending={wizard.sending}
          onCancel={onClose}
          onPrevious={wizard.previous}
          onNext={wizard.next}
          onDraft={wizard.saveDraft}
          onSend={wizard.send}
        />
      }
    >
      <FormProvider {...form}>
        <form className="sm:min-h-84" noValidate onSubmit={(event) => event.preventDefault()}>
          {step === 0 && <StepRecipient workspaceId={workspaceId} contact={contact} onContact={setContact} />}
          {step === 1 && <StepMessage />}
          {step === 2 && <StepDocuments workspaceId={workspaceId} />}
          {step === 3 && <StepSettings />}
        </form>
      </FormProvider>
      <UnsavedChangesDialog guard={wizard.guard} />
    </Dialog>
  );
}
