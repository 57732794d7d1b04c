import { Download, Mail, Upload } from "lucide-react";
import { useId } from "react";
import { useController } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { DOCUMENT_TYPES, USAGE_TYPES } from "../../../worker/contract/options";
import { fieldsOf } from "../../components/form-fields";
import { cx } from "../../lib/cx";
import { useNameOrder } from "../../lib/use-name-order";
import type { OnboardingValues } from "./onboarding.schema";

const HOW_IT_WORKS = [
  { step: "ask", icon: Mail },
  { step: "upload", icon: Upload },
  { step: "download", icon: Download },
] as const;

export function StepWelcome() {
  const { t } = useTranslation("onboarding");
  return (
    <ol className="flex w-full flex-col gap-3 text-left">
      {HOW_IT_WORKS.map(({ step, icon: Icon }) => (
        <li key={step} className="flex items-center gap-3 rounded-card bg-sunken p-3">
          <span className="inline-flex size-9 shrink-0 items-center justify-center rounded-full bg-accent-soft text-accent">
            <Icon aria-hidden className="size-4.5" />
          </span>
          {t(`welcome.steps.${step}`)}
        </li>
      ))}
    </ol>
  );
}

const { TextField } = fieldsOf<OnboardingValues>();

export function StepAbout() {
  const { t } = useTranslation("onboarding");
  const { inNameOrder } = useNameOrder();
  return (
    <div className="flex flex-col gap-4">
      {inNameOrder(
        <TextField
          key="given"
          name="firstName"
          label={t("about.firstName")}
          required
          autoComplete="given-name"
        />,
        <TextField key="family" name="lastName" label={t("about.lastName")} autoComplete="family-name" />,
      )}
      <TextField name="companyName" label={t("about.companyName")} autoComplete="organization" />
    </div>
  );
}

export function StepUsage() {
  const { t } = useTranslation("onboarding");
  return (
    <div className="flex flex-col gap-5">
      <RadioCards
        name="usageType"
        legend={t("usage.usageType")}
        choices={USAGE_TYPES.map((value) => ({ value, label: t(`usage.usageTypes.${value}`) }))}
      />
      <RadioCards
        name="documentType"
        legend={t("usage.documentType")}
        choices={DOCUMENT_TYPES.map((value) => ({ value, label: t(`usage.documentTypes.${value}`) }))}
      />
    </div>
  );
}

type RadioCardsProps = {
  name: "usageType" | "documentType";
  legend: string;
  choices: readonly { value: string; label: string }[];
};

/** A radio group styled as cards; the native inputs cover their labels. */
function RadioCards({ name, legend, choices }: RadioCardsProps) {
  const { field } = useController<OnboardingValues, typeof name>({ name });
  const id = useId();
  return (
    <div role="radiogroup" aria-labelledby={`${id}-legend`}>
      <p id={`${id}-legend`} className="mb-1.5 font-medium text-sm">
        {legend}
      </p>
      <div className={cx("grid gap-2", choices.length === 3 ? "sm:grid-cols-3" : "sm:grid-cols-2")}>
        {choices.map((choice) => (
          <label
            key={choice.value}
            className={cx(
              "relative flex min-h-11 items-center gap-2.5 rounded-control border border-line-strong px-3 py-2",
              "hover:bg-hover has-[:checked]:border-accent has-[:checked]:bg-accent-soft",
              "has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-accent has-[:focus-visible]:outline-offset-2",
            )}
          >
            <input
              type="radio"
              name={id}
              value={choice.value}
              checked={choice.value === field.value}
              onChange={() => field.onChange(choice.value)}
              className="size-4 shrink-0 appearance-none rounded-full border border-line-strong bg-surface outline-none after:absolute after:inset-0 after:cursor-pointer checked:border-5 checked:border-accent"
            />
            {choice.label}
          </label>
        ))}
      </div>
    </div>
  );
}
