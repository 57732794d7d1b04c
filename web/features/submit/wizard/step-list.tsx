import { Check } from "lucide-react";
import { type ReactNode, useLayoutEffect, useRef } from "react";
import { cx } from "../../../lib/cx";
import { T, useTexts } from "../translation/use-texts";
import { STEPS } from "./wizard-state";

/** The three steps by name, with a check mark on completed ones. The current one is a heading. */
export function StepList({ step, moved }: { step: number; moved: boolean }) {
  const { t } = useTexts();
  return (
    <ol className="grid grid-cols-3 gap-2 sm:gap-3">
      {STEPS.map((name, index) => (
        <li
          key={name}
          aria-current={index === step ? "step" : undefined}
          className={cx("min-w-0", index === step ? "text-ink" : "text-ink-soft")}
        >
          <span
            aria-hidden
            className={cx("block h-1 rounded-full", index <= step ? "bg-accent" : "bg-line-strong/60")}
          />
          <span
            // The same weight for every step: a bolder one may take another line, and the page would jump.
            className="mt-2 flex items-start gap-1.5 font-medium text-sm leading-5 [overflow-wrap:anywhere] max-[419px]:text-xs max-[419px]:leading-4"
          >
            <span
              aria-hidden
              className={cx(
                "mt-px hidden size-4.5 shrink-0 items-center justify-center rounded-full text-xs leading-none min-[420px]:flex",
                index < step && "bg-accent text-accent-ink",
                index === step && "bg-accent text-accent-ink",
                index > step && "border border-line-strong",
              )}
            >
              {index < step ? <Check className="size-3" strokeWidth={3} /> : index + 1}
            </span>
            {index === step ? (
              <StepHeading moved={moved}>
                <T k={`steps.${name}`} />
              </StepHeading>
            ) : (
              <T k={`steps.${name}`} />
            )}
            {index < step && <span className="sr-only">{`(${t("steps.done")})`}</span>}
          </span>
        </li>
      ))}
    </ol>
  );
}

/** The heading of the current step. It takes the focus if a button led to the step. */
function StepHeading({ moved, children }: { moved: boolean; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    if (!moved) return;
    heading.current?.focus({ preventScroll: true });
    heading.current?.closest("form")?.scrollIntoView({ block: "start" });
  }, [moved]);
  return (
    <h2
      ref={heading}
      tabIndex={-1}
      className="font-medium text-[length:inherit] leading-[inherit] outline-none"
    >
      {children}
    </h2>
  );
}
