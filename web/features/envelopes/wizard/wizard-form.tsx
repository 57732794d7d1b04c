import { valibotResolver } from "@hookform/resolvers/valibot";
import { useEffect, useRef, useState } from "react";
import { FormProvider, type UseFormReturn, useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { Dialog } from "../../../components/ui/dialog";
import { dismissFailure, dismissToast, toast } from "../../../components/ui/toast-store";
import { UnsavedChangesDialog } from "../../../components/ui/unsaved-changes-dialog";
import { ApiError } from "../../../lib/api";
import { messageKeyOf } from "../../../lib/error-text";
import { useUnsavedChanges } from "../../../lib/use-unsaved-changes";
import { useAccountTimeZone } from "../../auth/auth.queries";
import { isSavedAsDraft, useSaveEnvelope } from "../envelopes.queries";
import { StepDocuments } from "./step-documents";
import { StepIndicator } from "./step-indicator";
import { StepMessage } from "./step-message";
import { StepRecipient } from "./step-recipient";
import { StepSettings } from "./step-settings";
import { isStepFilled, locateIssue, STEPS, type StepName, stepFields } from "./steps";
import { VerifyEmailDialog } from "./verify-email-dialog";
import { type WizardValues, wizardSchema } from "./wizard.schema";
import { WizardFooter } from "./wizard-footer";
import { toPayload } from "./wizard-values";

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

export function WizardForm({
  title,
  initialValues,
  editId,
  sent = false,
  contact: firstContact,
  workspaceId,
  onClose,
}: WizardFormProps) {
  const { t } = useTranslation(["envelopes", "common", "validation"]);
  const timeZone = useAccountTimeZone();
  const form = useForm<WizardValues>({
    resolver: valibotResolver(wizardSchema(timeZone)),
    defaultValues: initialValues,
    // Otherwise missing fields of later steps prevent the check of number and country.
    criteriaMode: "all",
  });
  const [step, setStep] = useState(0);
  const [savedAsDraft, setSavedAsDraft] = useState(false);
  // Survives its step, which is unmounted when another one is shown.
  const [contact, setContact] = useState(firstContact);
  const guard = useUnsavedChanges(form.formState.isDirty);
  const draft = useSaveEnvelope("draft", editId);
  const send = useSaveEnvelope("sent", editId);
  const heading = useStepFocus(step);
  useRevalidation(form);
  useDismissal(form, STEPS[step] ?? "recipient");

  const check = async () => {
    const name = STEPS[step] ?? "recipient";
    const valid = await form.trigger(stepFields(name), { shouldFocus: true });
    if (!isStepFilled(name, form.getValues()))
      toast({
        title: t("common:requiredFields.title"),
        text: t("common:requiredFields.text"),
        destructive: true,
      });
    else if (valid) dismissToast();
    return valid;
  };
  const save = async (mutation: typeof send) => {
    if (!(await check())) return;
    mutation.mutate(toPayload(form.getValues(), workspaceId), {
      onSuccess: () => {
        guard.release();
        onClose();
      },
      onError: (error) => {
        if (!isSavedAsDraft(error)) return setStep((now) => showIssues(error, form) ?? now);
        guard.release();
        setSavedAsDraft(true);
      },
    });
  };

  if (savedAsDraft) return <VerifyEmailDialog onClose={onClose} />;

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
          drafting={draft.isPending}
          sending={send.isPending}
          onCancel={onClose}
          onPrevious={() => {
            dismissFailure();
            setStep(step - 1);
          }}
          onNext={async () => (await check()) && setStep(step + 1)}
          onDraft={() => void save(draft)}
          onSend={() => void save(send)}
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
      <UnsavedChangesDialog guard={guard} />
    </Dialog>
  );
}

/** Moves the focus to the heading of the new step, which is read out. */
function useStepFocus(step: number) {
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef(step);
  useEffect(() => {
    if (shown.current === step) return;
    shown.current = step;
    heading.current?.focus();
  }, [step]);
  return heading;
}

/** Clears a shown error as soon as the field is corrected. */
function useRevalidation(form: UseFormReturn<WizardValues>): void {
  useEffect(
    () =>
      form.subscribe({
        formState: { values: true },
        callback: ({ name }) => {
          const field = name as keyof WizardValues | undefined;
          if (field && form.getFieldState(field).error) void form.trigger(field);
        },
      }),
    [form],
  );
}

/** Dismisses "Required Fields" once they are filled, and with the wizard. */
function useDismissal(form: UseFormReturn<WizardValues>, step: StepName): void {
  useEffect(
    () =>
      form.subscribe({
        formState: { values: true },
        callback: ({ values }) => isStepFilled(step, values) && dismissFailure(),
      }),
    [form, step],
  );
  useEffect(() => dismissFailure, []);
}

/** Shows the server's validation issues under their fields; returns the first step that has one. */
function showIssues(error: unknown, form: UseFormReturn<WizardValues>): number | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const located = error.issues.flatMap(({ path, message }) => {
    const place = locateIssue(path);
    return place ? [{ ...place, message }] : [];
  });
  for (const { field, message } of located)
    form.setError(field, { type: "server", message: messageKeyOf(message) ?? message });
  return located.length > 0 ? Math.min(...located.map(({ step }) => step)) : undefined;
}
