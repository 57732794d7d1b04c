import { useEffect } from "react";
import type { UseFormReturn } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { dismissFailure, dismissToast, toast } from "../../../components/ui/toast-store";
import { isStepFilled, type StepName, stepFields } from "./steps";
import type { WizardValues } from "./wizard.schema";

/** Checks the fields of a step and says what is missing; returns whether they are valid. */
export function useStepCheck(form: UseFormReturn<WizardValues>, name: StepName): () => Promise<boolean> {
  const { t } = useTranslation("common");
  useRevalidation(form);
  useDismissal(form, name);
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
