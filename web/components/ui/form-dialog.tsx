import { type ComponentProps, type FormEventHandler, useId } from "react";
import { useTranslation } from "react-i18next";
import type { useUnsavedChanges } from "../../lib/use-unsaved-changes";
import { Button } from "./button";
import { Dialog } from "./dialog";
import { UnsavedChangesDialog } from "./unsaved-changes-dialog";

type FormDialogProps = Pick<
  ComponentProps<typeof Dialog>,
  "title" | "description" | "width" | "onClose" | "children"
> & {
  submitLabel: string;
  /** While the form is being sent. */
  pending: boolean;
  onSubmit: FormEventHandler;
  /** On Cancel, where that differs from closing. */
  onCancel?: () => void;
  /** Asks before unsaved input is lost, but not on Cancel. */
  guard?: ReturnType<typeof useUnsavedChanges>;
  /** The layout of the fields. */
  className?: string;
};

/** A dialog that is one form, with Cancel and a button that submits it. */
export function FormDialog({
  submitLabel,
  pending,
  onSubmit,
  onCancel,
  guard,
  className = "flex flex-col gap-4",
  children,
  ...dialog
}: FormDialogProps) {
  const { t } = useTranslation();
  const formId = useId();
  const cancel = () => {
    guard?.release();
    (onCancel ?? dialog.onClose)();
  };
  return (
    <Dialog
      {...dialog}
      open
      focus="field"
      footer={
        <>
          <Button onClick={cancel}>{t("cancel")}</Button>
          <Button type="submit" form={formId} variant="primary" loading={pending}>
            {submitLabel}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={onSubmit} className={className}>
        {children}
      </form>
      {guard && <UnsavedChangesDialog guard={guard} />}
    </Dialog>
  );
}
