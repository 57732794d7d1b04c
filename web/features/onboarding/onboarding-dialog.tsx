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
import { useShownName } from "../../lib/shown-name";
import { useCloseOnBack } from "../../lib/use-close-on-back";
import type { User } from "../auth/auth.queries";
import { useRole, useSelectedWorkspace } from "../workspaces/workspaces.queries";
import { useCompleteOnboarding, useCreateFirstTemplate } from "./onboarding.queries";
import {
  FIELDS,
  type OnboardingValues,
  onboardingSchema,
  onboardingValues,
  type StepName,
  stepsOf,
} from "./onboarding.schema";
import { StepAbout, StepUsage, StepWelcome } from "./onboarding-steps";

type OnboardingDialogProps = {
  user: User;
  /** Begins the first envelope, from the template that the answers made. */
  onRequest: (templateId: number | undefined) => void;
  onClose: () => void;
};

/** If it is dismissed, the answers are stored for the next visit. */
export default function OnboardingDialog(props: OnboardingDialogProps) {
  const { t } = useTranslation(["onboarding", "validation"]);
  const formId = useId();
  const workspace = useSelectedWorkspace();
  const shown = useShownName();
  const joined = workspace && workspace.memberCount > 1 ? shown(workspace.name) : undefined;
  const steps = stepsOf(joined !== undefined);
  const { form, step, pending, last, advance, request, back, dismiss } = useOnboarding(props, steps);
  const heading = useStepFocus(step);
  const { mayEdit } = useRole();
  const name = steps[step] ?? "welcome";
  const views = joined !== undefined && !mayEdit;
  useCloseOnBack(true, dismiss);
  return (
    <Dialog
      onClose={dismiss}
      title={t("title")}
      header={
        <div className="mt-4">
          <div
            role="progressbar"
            aria-label={t("progress", { step: step + 1, count: steps.length })}
            aria-valuemin={0}
            aria-valuemax={steps.length}
            aria-valuenow={step + 1}
            className="flex gap-2"
          >
            {steps.map((known, index) => (
              <span
                key={known}
                className={cx("h-1 flex-1 rounded-full", index <= step ? "bg-accent" : "bg-line")}
              />
            ))}
          </div>
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
            {views && name !== "usage"
              ? t(`${name}.viewer`, { workspace: joined })
              : name === "welcome" && joined !== undefined
                ? t("welcome.joined", { workspace: joined })
                : t(`${name}.text`)}
          </p>
          {name === "ready" && mayEdit && (
            <Button disabled={pending} onClick={() => void request()}>
              {t("ready.request")}
            </Button>
          )}
          {name === "welcome" && !views && <StepWelcome />}
          {name === "about" && <StepAbout />}
          {name === "usage" && <StepUsage />}
        </form>
      </FormProvider>
    </Dialog>
  );
}

/** The onboarding's form and its step; the answers of a dismissed dialog are stored for the session. */
function useOnboarding({ user, onRequest, onClose }: OnboardingDialogProps, steps: readonly StepName[]) {
  const draftKey = `onboarding ${user.id}`;
  const [step, setStep] = useState(0);
  const asked = steps.includes("usage");
  const complete = useCompleteOnboarding(asked);
  const firstTemplate = useCreateFirstTemplate();
  const form = useForm<OnboardingValues>({
    resolver: valibotResolver(onboardingSchema),
    defaultValues: loadDraft(draftKey, onboardingValues(user)),
  });
  const last = step === steps.length - 1;
  /** @param onDone gets the template that was made for the answers, if there is one */
  const finish = (onDone?: OnboardingDialogProps["onRequest"]) =>
    form.handleSubmit((values) =>
      complete.mutate(values, {
        onSuccess: async () => {
          clearDraft(draftKey);
          const { documentType } = values;
          const making = asked && documentType !== "other" && firstTemplate.mutateAsync(documentType);
          onClose();
          // A failure is a toast, and leaves the envelope without a template.
          const made = making && (await making.catch(() => null));
          onDone?.(made ? made.id : undefined);
        },
      }),
    )();
  return {
    form,
    step,
    last,
    pending: complete.isPending,
    back: () => setStep(step - 1),
    async advance() {
      if (last) return finish();
      if (await form.trigger(FIELDS[steps[step] ?? "welcome"], { shouldFocus: true })) setStep(step + 1);
    },
    request: () => finish(onRequest),
    dismiss() {
      saveDraft(draftKey, form.getValues());
      onClose();
    },
  };
}
