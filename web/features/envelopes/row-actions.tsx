import { Bell, Link2, Pencil, Trash2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../components/ui/icon-button";
import type { Envelope } from "./envelopes.queries";

export type RowActionHandlers = {
  onEdit: (envelope: Envelope) => void;
  onDelete: (envelope: Envelope) => void;
  onRemind: (envelope: Envelope) => void;
  onCopyLink: (envelope: Envelope) => void;
};

type RowActionsProps = RowActionHandlers & { envelope: Envelope; subject: string };

/** The actions for an envelope in its row. On a phone the buttons are stacked, at most three of them. */
export function RowActions({ envelope, subject, ...on }: RowActionsProps) {
  const { t } = useTranslation(["envelopes", "common"]);
  const named = { name: subject };
  return (
    <span className="relative z-[1] inline-flex gap-0.5 align-middle opacity-0 transition-opacity duration-150 group-focus-within:opacity-100 group-hover:opacity-100 max-md:flex-col max-md:gap-px max-md:[&_button]:size-7.5 touch:opacity-100">
      {envelope.status === "pending" && (
        <>
          <IconButton
            icon={Bell}
            label={t("remind.named", named)}
            tip={t("remind.short")}
            onClick={() => on.onRemind(envelope)}
          />
          <IconButton
            icon={Link2}
            label={t("copyLinkNamed", named)}
            tip={t("detail.copy")}
            onClick={() => on.onCopyLink(envelope)}
          />
        </>
      )}
      {envelope.isDraft && (
        <IconButton
          icon={Pencil}
          label={t("editNamed", named)}
          tip={t("common:edit")}
          onClick={() => on.onEdit(envelope)}
        />
      )}
      <IconButton
        icon={Trash2}
        tone="danger"
        label={t("deleteNamed", named)}
        tip={t("common:delete")}
        onClick={() => on.onDelete(envelope)}
      />
    </span>
  );
}
