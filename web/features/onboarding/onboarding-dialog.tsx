import { valibotResolver } from "@hookform/resolvers/valibot";
import { useEffect, useId, useRef, useState } from "react";
import { FormProvider, useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/ui/button";
import { Dialog } from "../../components/ui/dialog";
import { LogoMark } from "../../components/ui/logo";
import { SegmentProgress } from "../../components/ui/segment-progress";
import { cx } from "../../lib/cx";
import { clearDraft, loadDraft, saveDraft } from "../../lib/session-draft";
import { useCloseOnBack } from "../../lib/use-close-on-back";
import type { User } from "../auth/auth.queries";
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
  const draftKey = `onboarding ${user.id}`;
  const [step, setStep] = useState(0);
  const complete = useCompleteOnboarding();
  const firstTemplate = useCreateFirstTemplate();
  const form = useForm<OnboardingValues>({
    resolver: valibotResolver(onboardingSchema),
    defaultValues: loadDraft(draftKey, onboardingValues(user)),
  });
  const heading = useStepFocus(step);
  const name = STEPS[step] ?? "welcome";
  const last = step === STEPS.length - 1;

  const dismiss = () => {
    saveDraft(draftKey, form.getValues());
    onClose();
  };
  useCloseOnBack(true, dismiss);
  const finish = form.handleSubmit((values) =>
    complete.mutate(values, {
      onSuccess: () => {
        clearDraft(draftKey);
        if (values.documentType !== "other") firstTemplate.mutate(values.documentType);
        onClose();
      },
    }),
  );
  const advance = async () => {
    if (last) return finish();
    if (await form.trigger(FIELDS[name], { shouldFocus: true })) setStep(step + 1);
  };
  return (
    <Dialog
      open
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
          <Button disabled={step === 0 || complete.isPending} onClick={() => setStep(step - 1)}>
            {t("back")}
          </Button>
          <Button type="submit" form={formId} variant="primary" loading={complete.isPending}>
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
            name === "ready" && "flex flex-col items-center justify-center text-center",
          )}
        >
          {(name === "welcome" || name === "ready") && <LogoMark className="mb-5 size-14" />}
          <h3 ref={heading} tabIndex={-1} className="text-lg">
            {t(`${name}.heading`)}
          </h3>
          <p className="mt-1 mb-5 text-ink-soft">{t(`${name}.text`)}</p>
          {name === "welcome" && <StepWelcome />}
          {name === "about" && <StepAbout />}
          {name === "usage" && <StepUsage />}
        </form>
      </FormProvider>
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
