import { valibotResolver } from "@hookform/resolvers/valibot";
import { useEffect, useState } from "react";
import { type UseFormReturn, useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { dismissFailure, dismissToast, toast } from "../../../components/ui/toast-store";
import { ApiError } from "../../../lib/api";
import { messageKeyOf } from "../../../lib/error-text";
import { useRestoredInput } from "../../../lib/use-restored-input";
import { useUnsavedChanges } from "../../../lib/use-unsaved-changes";
import { useAccountTimeZone, useDraftKey } from "../../auth/auth.queries";
import { isSavedAsDraft, useSaveEnvelope } from "../envelopes.queries";
import { isStepFilled, locateIssue, STEPS, type StepName, stepFields } from "./steps";
import { type WizardValues, wizardSchema } from "./wizard.schema";
import { toPayload } from "./wizard-values";

type WizardFormOptions = {
  initialValues: WizardValues;
  editId: number | undefined;
  workspaceId: number | undefined;
  onClose: () => void;
};

/** The wizard's form and its step, which is checked before it is left; saves and sends the envelope. */
export function useWizardForm({ initialValues, editId, workspaceId, onClose }: WizardFormOptions) {
  const { t } = useTranslation(["common", "validation"]);
  const timeZone = useAccountTimeZone();
  const form = useForm<WizardValues>({
    resolver: valibotResolver(wizardSchema(timeZone)),
    defaultValues: initialValues,
    // Otherwise missing fields of later steps prevent the check of number and country.
    criteriaMode: "all",
  });
  const [step, setStep] = useState(0);
  const [savedAsDraft, setSavedAsDraft] = useState(false);
  const { isDirty } = form.formState;
  const guard = useUnsavedChanges(isDirty);
  useRestoredInput(form, isDirty, useDraftKey("wizard", editId));
  const draft = useSaveEnvelope("draft", editId);
  const send = useSaveEnvelope("sent", editId);
  const name = STEPS[step] ?? "recipient";
  useRevalidation(form);
  useDismissal(form, name);

  const check = async () => {
    const valid = await form.trigger(stepFields(name), { shouldFocus: true });
    if (!isStepFilled(name, form.getValues()))
      toast({ title: t("requiredFields.title"), text: t("requiredFields.text"), destructive: true });
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
  return {
    form,
    guard,
    step,
    /** It was to be sent, but the account's address is not verified yet. */
    savedAsDraft,
    drafting: draft.isPending,
    sending: send.isPending,
    previous() {
      dismissFailure();
      setStep(step - 1);
    },
    next: async () => (await check()) && setStep(step + 1),
    saveDraft: () => void save(draft),
    send: () => void save(send),
  };
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
    const location = locateIssue(path);
    return location ? [{ ...location, message }] : [];
  });
  for (const { field, message } of located)
    form.setError(field, { type: "server", message: messageKeyOf(message) ?? message });
  return located.length > 0 ? Math.min(...located.map(({ step }) => step)) : undefined;
}
