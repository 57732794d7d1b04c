import { valibotResolver } from "@hookform/resolvers/valibot";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { clearDraft, loadDraft, saveDraft } from "../../lib/session-draft";
import type { User } from "../auth/auth.queries";
import { useCompleteOnboarding, useCreateFirstTemplate } from "./onboarding.queries";
import {
  FIELDS,
  type OnboardingValues,
  onboardingSchema,
  onboardingValues,
  STEPS,
} from "./onboarding.schema";

/** The onboarding's form and its step; the answers of a dismissed dialog are stored for the session. */
export function useOnboarding(user: User, onClose: () => void) {
  const draftKey = `onboarding ${user.id}`;
  const [step, setStep] = useState(0);
  const complete = useCompleteOnboarding();
  const firstTemplate = useCreateFirstTemplate();
  const form = useForm<OnboardingValues>({
    resolver: valibotResolver(onboardingSchema),
    defaultValues: loadDraft(draftKey, onboardingValues(user)),
  });
  const last = step === STEPS.length - 1;
  const finish = form.handleSubmit((values) =>
    complete.mutate(values, {
      onSuccess: () => {
        clearDraft(draftKey);
        if (values.documentType !== "other") firstTemplate.mutate(values.documentType);
        onClose();
      },
    }),
  );
  return {
    form,
    step,
    last,
    pending: complete.isPending,
    back: () => setStep(step - 1),
    async advance() {
      if (last) return finish();
      if (await form.trigger(FIELDS[STEPS[step] ?? "welcome"], { shouldFocus: true })) setStep(step + 1);
    },
    dismiss() {
      saveDraft(draftKey, form.getValues());
      onClose();
    },
  };
}
