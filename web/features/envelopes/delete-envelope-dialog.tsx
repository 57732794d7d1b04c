import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "../../components/ui/confirm-dialog";
import type { Envelope } from "./envelopes.queries";
import { useDeleteEnvelope } from "./envelopes.queries";

type DeleteEnvelopeDialogProps = { envelope: Envelope | null; onClose: () => void };

export function DeleteEnvelopeDialog({ envelope, onClose }: DeleteEnvelopeDialogProps) {
  const { t } = useTranslation("envelopes");
  const remove = useDeleteEnvelope();
  return (
    <ConfirmDialog
      open={envelope !== null}
      title={t("delete.title")}
      text={t("delete.text")}
      confirmLabel={t("delete.confirm")}
      pending={remove.isPending}
      onConfirm={() => envelope && remove.mutate(envelope.id, { onSettled: onClose })}
      onCancel={onClose}
    />
  );
}
