import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "../../components/ui/confirm-dialog";
import { type Envelope, useDeleteEnvelope } from "./envelopes.queries";

type DeleteEnvelopeDialogProps = { envelope: Envelope; onClose: () => void };

export default function DeleteEnvelopeDialog({ envelope, onClose }: DeleteEnvelopeDialogProps) {
  const { t } = useTranslation("envelopes");
  const remove = useDeleteEnvelope();
  const files = envelope.submissions.filter(({ url }) => url).length;
  const confirm = () =>
    remove.mutate(envelope.id, {
      onSuccess: () => {
        onClose();
        // The button that opened the dialog was removed with its row.
        requestAnimationFrame(() => document.getElementById("content")?.focus());
      },
      onError: onClose,
    });
  return (
    <ConfirmDialog
      open
      title={t("delete.title")}
      text={t("delete.text")}
      detail={[
        t("delete.named", { name: envelope.subject || envelope.title }),
        files > 0 && t("delete.files", { count: files }),
      ]
        .filter(Boolean)
        .join(". ")}
      confirmLabel={t("delete.confirm")}
      pending={remove.isPending}
      onConfirm={confirm}
      onCancel={onClose}
    />
  );
}
