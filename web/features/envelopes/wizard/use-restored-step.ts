import { useEffect, useState } from "react";
import type { UseFormReturn } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { dismissFailure, dismissToast, toast } from "../../../components/ui/toast-store";
import { onSessionEnd } from "../../../lib/api";
import { clearDraft, loadDraft, saveDraft } from "../../../lib/session-draft";
import { isStepFilled, STEPS, type StepName, stepFields } from "./steps";
import type { WizardValues } from "./wizard.schema";

type RestoredStepOptions<Extra> = {
  initialValues: WizardValues;
  initialExtra: Extra;
  key: string;
};

/**
 * The current step. It is saved with the input, and with the `extra` input outside the form, if the page is reloaded or
 * the session ends, and restored when the wizard is shown again.
 */
export function useRestoredStep<Extra>(
  form: UseFormReturn<WizardValues>,
  { initialValues, initialExtra, key }: RestoredStepOptions<Extra>,
) {
  const [fresh] = useState({ values: initialValues, step: 0, extra: initialExtra });
  const [saved] = useState(() => loadDraft(key, fresh));
  const [restored, setRestored] = useState(saved !== fresh);
  const [step, setStep] = useState(saved.step in STEPS ? saved.step : 0);
  const [reached, setReached] = useState(step);
  const [extra, setExtra] = useState(saved.extra);
  const isDirty = form.formState.isDirty || extra !== fresh.extra;
  if (step > reached) setReached(step);
  useEffect(() => {
    if (saved !== fresh) form.reset(saved.values, { keepDefaultValues: true });
    clearDraft(key);
  }, [form, key, saved, fresh]);
  useEffect(() => {
    const save = () => isDirty && saveDraft(key, { values: form.getValues(), step, extra });
    addEventListener("pagehide", save);
    const stop = onSessionEnd(save);
    return () => {
      removeEventListener("pagehide", save);
      stop();
    };
  }, [form, isDirty, key, step, extra]);
  return {
    step,
    setStep,
    extra,
    setExtra,
    isDirty,
    /** The last step that was shown so far. */
    reached,
    /** What was typed before a reload or a new sign-in was restored. */
    restored: restored && step === saved.step,
    startOver() {
      form.reset(fresh.values);
      setExtra(fresh.extra);
      setStep(0);
      setRestored(false);
    },
  };
}

/** Checks the fields of a step and says what is missing; returns whether they are valid. */
export function useStepCheck(form: UseFormReturn<WizardValues>, name: StepName): () => Promise<boolean> {
  const { t } = useTranslation("common");
  useRevalidation(form);
  useDismissal(form);
  return async () => {
    const valid = await form.trigger(stepFields(name), { shouldFocus: true });
    if (!isStepFilled(name, form.getValues())) {
      const missing = document.activeElement;
      toast({
        title: t("requiredFields.title"),
        text: t("requiredFields.text"),
        destructive: true,
        // The field has the precise message.
        ...(missing instanceof HTMLElement && {
          action: { label: t("requiredFields.show"), onAction: () => missing.focus() },
        }),
      });
    } else if (valid) dismissToast();
    else dismissFailure();
    return valid;
  };
}

/** Whether a template has filled in the steps between the first and the last one, so that these can be skipped. */
export const canSkip = (step: number, values: WizardValues): boolean =>
  step === 0 && values.templateId !== null && STEPS.slice(1, -1).every((name) => isStepFilled(name, values));

/** The step to which skipping leads: the last one, or one before it that has a mistake. */
export async function stepAfterSkip(form: UseFormReturn<WizardValues>): Promise<number> {
  for (const [index, name] of STEPS.slice(0, -1).entries())
    if (index > 0 && !(await form.trigger(stepFields(name)))) return index;
  return STEPS.length - 1;
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

/** Dismisses "Required Fields" once something is typed, and with the wizard. The fields say what is missing. */
function useDismissal(form: UseFormReturn<WizardValues>): void {
  useEffect(() => form.subscribe({ formState: { values: true }, callback: dismissFailure }), [form]);
  useEffect(() => dismissFailure, []);
}
