import { Check, RotateCcw } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button";
import { cx } from "../../../lib/cx";

/** Says that the input is from before a reload or a new sign-in. */
export function RestoredNote({ onStartOver }: { onStartOver: () => void }) {
  const { t } = useTranslation("envelopes");
  return (
    <div
      role="status"
      className="mb-4 flex flex-wrap items-center justify-between gap-x-3 gap-y-1 rounded-control bg-sunken py-1.5 pr-1.5 pl-3"
    >
      <p>{t("wizard.restored")}</p>
      <Button size="sm" variant="ghost" onClick={onStartOver}>
        <RotateCcw aria-hidden />
        {t("wizard.startOver")}
      </Button>
    </div>
  );
}

type StepIndicatorProps = {
  /** The names of the steps. */
  names: readonly string[];
  step: number;
  reached: number;
  onShow: (step: number) => void;
};

/**
 * The steps by name; the current one is a heading, those that were shown before are buttons. On a phone only the
 * current name is visible, the others are bars.
 */
export function StepIndicator({ names, step, reached, onShow }: StepIndicatorProps) {
  const { t } = useTranslation("envelopes");
  const progress = t("wizard.progress", { step: step + 1, count: names.length });
  return (
    <>
      <ol aria-label={progress} className="mt-2 -mb-1.5 flex gap-2">
        {names.map((name, index) => {
          const current = index === step;
          const Label = current ? "h3" : index <= reached ? "button" : "span";
          return (
            <li
              key={name}
              aria-current={current ? "step" : undefined}
              className={cx("flex-1", current ? "min-w-fit text-ink" : "min-w-0 text-ink-soft")}
            >
              <Label
                {...(Label === "button" && { type: "button", onClick: () => onShow(index) })}
                className={cx(
                  "group block w-full rounded-sm py-2 text-left text-xs leading-4",
                  current ? "whitespace-nowrap font-semibold" : "font-normal",
                  Label === "button" && "hover:text-ink",
                )}
              >
                <span
                  aria-hidden
                  className={cx(
                    "mb-1.5 block h-1 rounded-full transition-colors duration-150",
                    index <= step ? "bg-accent" : index <= reached ? "bg-line-strong" : "bg-line",
                  )}
                />
                <span className="flex items-center gap-1">
                  {index < step && (
                    <Check aria-hidden className="size-3.5 shrink-0 text-accent max-sm:hidden" />
                  )}
                  <span
                    className={cx(
                      !current && "truncate max-sm:sr-only",
                      Label === "button" && "group-hover:underline",
                    )}
                  >
                    {name}
                  </span>
                </span>
              </Label>
            </li>
          );
        })}
      </ol>
      <p aria-live="polite" className="sr-only">
        {progress}
      </p>
    </>
  );
}

type WizardFooterProps = {
  /** The id of the form that Next submits. */
  form: string;
  first: boolean;
  last: boolean;
  /** What sends it. */
  sendLabel: string;
  canDraft: boolean;
  drafting: boolean;
  sending: boolean;
  onCancel: () => void;
  onPrevious: () => void;
  onDraft: () => void;
  onSend: () => void;
};

export function WizardFooter(props: WizardFooterProps) {
  const { t } = useTranslation(["envelopes", "common"]);
  const pending = props.drafting || props.sending;
  return (
    <>
      <Button variant="ghost" onClick={props.onCancel} className="mr-auto">
        {t("common:cancel")}
      </Button>
      <Button disabled={props.first || pending} onClick={props.onPrevious}>
        {t("wizard.previous")}
      </Button>
      {!props.last && (
        <Button type="submit" form={props.form} variant="primary">
          {t("wizard.next")}
        </Button>
      )}
      {props.last && props.canDraft && (
        <Button loading={props.drafting} disabled={pending} onClick={props.onDraft}>
          {t("wizard.saveDraft")}
        </Button>
      )}
      {props.last && (
        <Button variant="primary" loading={props.sending} disabled={pending} onClick={props.onSend}>
          {props.sendLabel}
        </Button>
      )}
    </>
  );
}
