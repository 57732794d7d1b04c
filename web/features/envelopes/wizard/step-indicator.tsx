import { Check } from "lucide-react";
import type { Ref } from "react";
import { useTranslation } from "react-i18next";
import { cx } from "../../../lib/cx";
import { STEPS } from "./steps";

type StepIndicatorProps = { step: number; heading: Ref<HTMLHeadingElement> };

/**
 * The four steps by name; the current one is a heading. On a phone only the current name is visible, the others
 * are bars.
 */
export function StepIndicator({ step, heading }: StepIndicatorProps) {
  const { t } = useTranslation("envelopes");
  return (
    <ol
      aria-label={t("wizard.progress", { step: step + 1, count: STEPS.length })}
      className="mt-4 flex gap-2"
    >
      {STEPS.map((name, index) => (
        <li
          key={name}
          aria-current={index === step ? "step" : undefined}
          className={cx("flex-1", index === step ? "min-w-fit text-ink" : "min-w-0 text-ink-soft")}
        >
          <span
            aria-hidden
            className={cx("mb-1.5 block h-1 rounded-full", index <= step ? "bg-accent" : "bg-line")}
          />
          <span className="flex items-center gap-1 text-xs">
            {index < step && <Check aria-hidden className="size-3.5 shrink-0 text-accent max-sm:hidden" />}
            {index === step ? (
              <h3
                ref={heading}
                tabIndex={-1}
                className="whitespace-nowrap font-semibold text-xs outline-none"
              >
                {t(`wizard.steps.${name}`)}
              </h3>
            ) : (
              <span className="truncate max-sm:sr-only">{t(`wizard.steps.${name}`)}</span>
            )}
          </span>
        </li>
      ))}
    </ol>
  );
}
