import { valibotResolver } from "@hookform/resolvers/valibot";
import { useId, useState } from "react";
import { FormProvider, useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/ui/button";
import { Dialog } from "../../components/ui/dialog";
import { LogoMark } from "../../components/ui/logo";
import { cx } from "../../lib/cx";
import { useStepFocus } from "../../lib/focus";
import { clearDraft, loadDraft, saveDraft } from "../../lib/session-draft";
import { useCloseOnBack } from "../../lib/use-close-on-back";
import type { User } from "../auth/auth.queries";
import { useRole } from "../workspaces/workspaces.queries";
import { useCompleteOnboarding, useCreateFirstTemplate } from "./onboarding.queries";
import {
  FIELDS,
  type OnboardingValues,
  onboardingSchema,
  onboardingValues,
  STEPS,
} from "./onboarding.schema";
import { StepAbout, StepUsage, StepWelcome } from "./onboarding-steps";

type OnboardingDialogProps = { user: User; onClose: () => void };

/** If it is dismissed, the answers are stored for the next visit. */
export default function OnboardingDialog({ user, onClose }: OnboardingDialogProps) {
  const { t } = useTranslation(["onboarding", "validation"]);
  const formId = useId();
  const { form, step, pending, last, advance, back, dismiss } = useOnboarding(user, onClose);
  const heading = useStepFocus(step);
  const { mayEdit } = useRole();
  const name = STEPS[step] ?? "welcome";
  useCloseOnBack(true, dismiss);
  return (
    <Dialog
      onClose={dismiss}
      title={t("title")}
      header={
        <div className="mt-4">
          <SegmentProgress
            label={t("progress", { step: step + 1, count: STEPS.length })}
            value={step + 1}
            max={STEPS.length}
          />
        </div>
      }
      footer={
        <>
          <Button disabled={step === 0 || pending} onClick={back}>
            {t("back")}
          </Button>
          <Button type="submit" form={formId} variant="primary" loading={pending}>
            {last ? t("finish") : t("next")}
          </Button>
        </>
      }
    >
      <FormProvider {...form}>
        <form
          id={formId}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            void advance();
          }}
          className={cx(
            "sm:min-h-80",
            (name === "welcome" || name === "ready") && "flex flex-col items-center text-center",
            name === "ready" && "max-sm:min-h-[50dvh] justify-center",
          )}
        >
          {(name === "welcome" || name === "ready") && <LogoMark className="mb-5 size-14" />}
          <h3 ref={heading} tabIndex={-1} className="text-lg">
            {t(`${name}.heading`)}
          </h3>
          <p
            className={cx(
              "mt-1 mb-5 text-ink-soft",
              (name === "welcome" || name === "ready") && "text-balance",
            )}
          >
            {t(name === "ready" && !mayEdit ? "ready.viewer" : `${name}.text`)}
          </p>
          {name === "welcome" && <StepWelcome />}
          {name === "about" && <StepAbout />}
          {name === "usage" && <StepUsage />}
        </form>
      </FormProvider>
    </Dialog>
  );
}

type SegmentProgressProps = { label: string; value: number; max: number };

/** A progress bar of as many segments as there are steps. */
function SegmentProgress({ label, value, max }: SegmentProgressProps) {
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={value}
      className="flex gap-2"
    >
      {Array.from({ length: max }, (_, index) => index + 1).map((step) => (
        <span key={step} className={cx("h-1 flex-1 rounded-full", step <= value ? "bg-accent" : "bg-line")} />
      ))}
    </div>
  );
}

/** The onboarding's form and its step; the answers of a dismissed dialog are stored for the session. */
function useOnboarding(user: User, onClose: () => void) {
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
