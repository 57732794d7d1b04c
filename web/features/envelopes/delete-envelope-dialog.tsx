import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { EnvelopeRow } from "../../../worker/contract/envelopes";
import { ConfirmDialog } from "../../components/ui/confirm-dialog";
import { api, byId } from "../../lib/api";
import { changeRow, refreshLists } from "./envelopes.queries";

type DeleteEnvelopeDialogProps = {
  envelope: Pick<EnvelopeRow, "id" | "subject" | "recipient" | "files">;
  onClose: () => void;
  onDeleted?: () => void;
};

export default function DeleteEnvelopeDialog({ envelope, onClose, onDeleted }: DeleteEnvelopeDialogProps) {
  const { t } = useTranslation("envelopes");
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: (id: number) => api.requests[":id"].$delete(byId(id)),
    onSuccess: (_response, id) => {
      changeRow(client, id, () => undefined);
      // Not its details, which may still be open.
      void refreshLists(client);
    },
    meta: {
      success: { title: "envelopes:delete.done", text: "envelopes:delete.doneText" },
      failure: { title: "envelopes:delete.failed", text: "envelopes:delete.failedText" },
    },
  });
  const { subject, recipient, files } = envelope;
  const confirm = () =>
    remove.mutate(envelope.id, {
      onSuccess: () => {
        onClose();
        onDeleted?.();
      },
      onError: onClose,
    });
  return (
    <ConfirmDialog
      open
      title={t("delete.title")}
      text={t("delete.text")}
      detail={[
        t("delete.named", { name: [subject, recipient].filter(Boolean).join(" · ") || t("noSubject") }),
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
