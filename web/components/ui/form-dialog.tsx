import { type ComponentProps, type FormEventHandler, useId, useState } from "react";
import { type FieldValues, FormProvider, type UseFormReturn } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { Button } from "./button";
import { ChangedMeanwhileDialog, type useChangedMeanwhile } from "./changed-meanwhile";
import { Dialog } from "./dialog";
import { UnsavedChangesDialog, useAskBeforeClosing, type useUnsavedChanges } from "./unsaved-changes";

type FormDialogProps<Values extends FieldValues, Output> = Pick<
  ComponentProps<typeof Dialog>,
  "title" | "description" | "width" | "nested" | "onClose" | "children"
> & {
  form: UseFormReturn<Values, unknown, Output>;
  submitLabel: string;
  /** While the form is being sent: it stays open, because its response may be shown once only. */
  pending: boolean;
  onSubmit: FormEventHandler;
  /** On Cancel, where that differs from closing. */
  onCancel?: () => void;
  /** Asks before unsaved input is lost, but not on Cancel; by default once something was typed. */
  guard?: ReturnType<typeof useUnsavedChanges>;
  /** What was typed is kept when the dialog is closed, so nothing asks. */
  keepsInput?: boolean;
  /** Asks what to do if somebody else has changed the entry. */
  conflict?: ReturnType<typeof useChangedMeanwhile>;
  className?: string;
};

/** A dialog that is one form, with Cancel and a button that submits it. */
export function FormDialog<Values extends FieldValues, Output>({
  form,
  submitLabel,
  pending,
  onSubmit,
  onCancel,
  guard,
  keepsInput = false,
  conflict,
  className = "flex flex-col gap-4",
  children,
  ...dialog
}: FormDialogProps<Values, Output>) {
  const { t } = useTranslation();
  const formId = useId();
  const [typed, setTyped] = useState(false);
  // A dialog with a guard of its own has a URL, which closing leaves.
  const closing = useAskBeforeClosing(
    { dirty: typed && !keepsInput && !guard, pending, onClose: dialog.onClose },
    guard === undefined,
  );
  const cancel = () => {
    guard?.release();
    (onCancel ?? dialog.onClose)();
  };
  return (
    <Dialog
      {...dialog}
      onClose={closing.close}
      focus="field"
      footer={
        <>
          <Button disabled={pending} onClick={cancel}>
            {t("cancel")}
          </Button>
          <Button type="submit" form={formId} variant="primary" loading={pending}>
            {submitLabel}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={onSubmit} onInput={() => setTyped(true)} className={className}>
        <FormProvider {...form}>{children}</FormProvider>
      </form>
      <UnsavedChangesDialog guard={guard ?? closing} />
      {conflict && <ChangedMeanwhileDialog conflict={conflict} />}
    </Dialog>
  );
}
