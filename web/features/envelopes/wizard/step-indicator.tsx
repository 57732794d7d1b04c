import { Check } from "lucide-react";
import { useTranslation } from "react-i18next";
import { cx } from "../../../lib/cx";
import { STEPS } from "./steps";

/** The four steps by name; on a phone only the current one is written out, the others are bars. */
export function StepIndicator({ step }: { step: number }) {
  const { t } = useTranslation("envelopes");
  return (
    <ol
      aria-label={t("wizard.progress", { step: step + 1, count: STEPS.length })}
      className="mt-4 flex gap-2"
    >
      {STEPS.map((name, place) => (
        <li
          key={name}
          aria-current={place === step ? "step" : undefined}
          className={cx("min-w-0 flex-1", place === step ? "text-ink" : "text-ink-soft")}
        >
          <span
            aria-hidden
            className={cx("mb-1.5 block h-1 rounded-full", place <= step ? "bg-accent" : "bg-line")}
          />
          <span className="flex items-center gap-1 text-xs">
            {place < step && <Check aria-hidden className="size-3.5 shrink-0 text-accent max-sm:hidden" />}
            <span
              className={cx(place === step ? "whitespace-nowrap font-semibold" : "truncate max-sm:sr-only")}
            >
              {t(`wizard.steps.${name}`)}
            </span>
          </span>
        </li>
      ))}
    </ol>
  );
}
