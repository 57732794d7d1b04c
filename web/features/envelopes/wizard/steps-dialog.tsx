import { Check, RotateCcw } from "lucide-react";
import { type ReactNode, useId } from "react";
import { type FieldValues, FormProvider, type UseFormReturn } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { useIsAttaching } from "../../../components/attachment-fields";
import { Button } from "../../../components/ui/button";
import { Dialog } from "../../../components/ui/dialog";
import { cx } from "../../../lib/cx";

type StepsDialogProps<Values extends FieldValues> = {
  title: string;
  width: "lg" | "xl";
  names: readonly string[];
  /** The form and the step that is shown. */
  wizard: {
    form: UseFormReturn<Values>;
    step: number;
    reached: number;
    restored: boolean;
    sending: boolean;
    show: (step: number) => void;
    previous: () => void;
    next: () => unknown;
    /** Goes from the first step to the last one; undefined if a step between them is not filled in. */
    skip: (() => unknown) | undefined;
    startOver: () => void;
  };
  sendLabel: string;
  onSend: () => void;
  /** Saves it as a draft instead; undefined if that is not possible. */
  draft?: { saving: boolean; onSave: () => void } | undefined;
  onClose: () => void;
  children: ReactNode;
  dialogs: ReactNode;
};

/** A step begins at its top, wherever the one before it was scrolled to. */
const scrollToTop = (step: HTMLElement | null) => step?.closest("form")?.parentElement?.scrollTo(0, 0);

/** A form in steps. */
export function StepsDialog<Values extends FieldValues>(props: StepsDialogProps<Values>) {
  const { title, width, names, wizard, sendLabel, onSend, draft, onClose, children, dialogs } = props;
  const { t } = useTranslation(["envelopes", "templates", "common"]);
  const { form, step } = wizard;
  const pending = draft?.saving || wizard.sending;
  const attaching = useIsAttaching();
  const formId = useId();
  const last = step === names.length - 1;
  return (
    <Dialog
      onClose={onClose}
      width={width}
      focus="field"
      title={title}
      header={
        <StepIndicator
          names={names}
          step={step}
          reached={attaching ? -1 : wizard.reached}
          onShow={wizard.show}
        />
      }
      footer={
        <>
          <Button variant="ghost" disabled={pending} onClick={onClose} className="mr-auto">
            {t("common:cancel")}
          </Button>
          <Button disabled={step === 0 || pending || attaching} onClick={wizard.previous}>
            {t("wizard.previous")}
          </Button>
          {wizard.skip && <Button onClick={() => void wizard.skip?.()}>{t("templates:wizard.skip")}</Button>}
          {!last && (
            <Button type="submit" form={formId} variant="primary" loading={attaching}>
              {t("wizard.next")}
            </Button>
          )}
          {last && draft && (
            <Button loading={draft.saving} disabled={pending} onClick={draft.onSave}>
              {t("wizard.saveDraft")}
            </Button>
          )}
          {last && (
            <Button variant="primary" loading={wizard.sending} disabled={pending} onClick={onSend}>
              {sendLabel}
            </Button>
          )}
        </>
      }
    >
      <FormProvider {...form}>
        <form
          id={formId}
          className="sm:min-h-84"
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            // Enter goes on, but never sends.
            if (!last) void wizard.next();
          }}
        >
          {/* The input is from before a reload or a new sign-in. */}
          {wizard.restored && (
            <div
              role="status"
              className="mb-4 flex flex-wrap items-center justify-between gap-x-3 gap-y-1 rounded-control bg-sunken py-1.5 pr-1.5 pl-3"
            >
              <p>{t("wizard.restored")}</p>
              <Button size="sm" variant="ghost" onClick={wizard.startOver}>
                <RotateCcw aria-hidden />
                {t("wizard.startOver")}
              </Button>
            </div>
          )}
          <div key={step} ref={scrollToTop} className="appear">
            {children}
          </div>
        </form>
      </FormProvider>
      {dialogs}
    </Dialog>
  );
}

type StepIndicatorProps = {
  names: readonly string[];
  step: number;
  reached: number;
  onShow: (step: number) => void;
};

/**
 * The steps by name; the current one is a heading, those that were shown before are buttons. On a phone only the
 * current name is visible, the others are bars.
 */
function StepIndicator({ names, step, reached, onShow }: StepIndicatorProps) {
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
