import { useId } from "react";
import { FormProvider } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/ui/button";
import { Dialog } from "../../components/ui/dialog";
import { LogoMark } from "../../components/ui/logo";
import { SegmentProgress } from "../../components/ui/segment-progress";
import { cx } from "../../lib/cx";
import { useCloseOnBack } from "../../lib/use-close-on-back";
import { useStepFocus } from "../../lib/use-step-focus";
import type { User } from "../auth/auth.queries";
import { STEPS } from "./onboarding.schema";
import { StepAbout, StepUsage, StepWelcome } from "./onboarding-steps";
import { useOnboarding } from "./use-onboarding";

type OnboardingDialogProps = { user: User; onClose: () => void };

/** If it is dismissed, the answers are stored for the next visit. */
export default function OnboardingDialog({ user, onClose }: OnboardingDialogProps) {
  const { t } = useTranslation(["onboarding", "validation"]);
  const formId = useId();
  const { form, step, pending, last, advance, back, dismiss } = useOnboarding(user, onClose);
  const heading = useStepFocus(step);
  const name = STEPS[step] ?? "welcome";
  useCloseOnBack(true, dismiss);
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
            {t(`${name}.text`)}
          </p>
          {name === "welcome" && <StepWelcome />}
          {name === "about" && <StepAbout />}
          {name === "usage" && <StepUsage />}
        </form>
      </FormProvider>
    </Dialog>
  );
}
