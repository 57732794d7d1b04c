import { type ComponentProps, type FormEventHandler, useId } from "react";
import { useTranslation } from "react-i18next";
import { useCloseOnBack } from "../../lib/use-close-on-back";
import { Button } from "./button";
import { Dialog } from "./dialog";
import {
  ChangedMeanwhileDialog,
  UnsavedChangesDialog,
  type useChangedMeanwhile,
  type useUnsavedChanges,
} from "./unsaved-changes";

type FormDialogProps = Pick<
  ComponentProps<typeof Dialog>,
  "title" | "description" | "width" | "nested" | "onClose" | "children"
> & {
  submitLabel: string;
  /** While the form is being sent. */
  pending: boolean;
  onSubmit: FormEventHandler;
  /** On Cancel, where that differs from closing. */
  onCancel?: () => void;
  /** Asks before unsaved input is lost, but not on Cancel. */
  guard?: ReturnType<typeof useUnsavedChanges>;
  /** Asks what to do if somebody else has changed the entry. */
  conflict?: ReturnType<typeof useChangedMeanwhile>;
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
  conflict,
  className = "flex flex-col gap-4",
  children,
  ...dialog
}: FormDialogProps) {
  const { t } = useTranslation();
  const formId = useId();
  // One that asks has a URL, which the back button leaves.
  useCloseOnBack(guard === undefined, dialog.onClose);
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
      {conflict && <ChangedMeanwhileDialog conflict={conflict} />}
    </Dialog>
  );
}
