import { Bell, CopyPlus, Link2, Pencil, Trash2 } from "lucide-react";
import { useDeferredValue } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../components/ui/icon-button";
import { canRemind } from "./envelope";
import type { Envelope } from "./envelopes.queries";

export type RowActionHandlers = {
  /** Without it, there are no actions. */
  mayEdit: boolean;
  onEdit: (envelope: Envelope) => void;
  onDelete: (envelope: Envelope) => void;
  onRemind: (envelope: Envelope) => void;
  onCopyLink: (envelope: Envelope) => void;
  onDuplicate: (envelope: Envelope) => void;
};

type RowActionsProps = RowActionHandlers & { envelope: Envelope; subject: string };

/**
 * The actions for an envelope in its row; the destructive one stands apart. On a phone two buttons are stacked: the link
 * is copied and the envelope duplicated in the details there.
 */
export function RowActions({ envelope, subject, ...on }: RowActionsProps) {
  const { t } = useTranslation(["envelopes", "common"]);
  // Half of a row, which is not visible before the row is pointed at: rendered after the rows are shown.
  const rendered = useDeferredValue(true, false);
  const named = { name: subject };
  if (!rendered || !on.mayEdit) return null;
  return (
    <span className="relative z-[1] inline-flex gap-0.5 align-middle opacity-0 transition-opacity duration-150 group-focus-within:opacity-100 group-hover:opacity-100 max-md:flex-col max-md:gap-2 max-md:[&_button]:size-10 touch:opacity-100 touch:[&_button]:size-10">
      {canRemind(envelope) && (
        <IconButton
          icon={Bell}
          label={t("remind.named", named)}
          side="bottom"
          tip={t("remind.short")}
          onClick={() => on.onRemind(envelope)}
        />
      )}
      {envelope.status === "pending" && (
        <IconButton
          icon={Link2}
          label={t("copyLinkNamed", named)}
          side="bottom"
          tip={t("detail.copy")}
          onClick={() => on.onCopyLink(envelope)}
          boxClass="max-md:hidden"
        />
      )}
      {envelope.isDraft && (
        <IconButton
          icon={Pencil}
          label={t("editNamed", named)}
          side="bottom"
          tip={t("common:edit")}
          onClick={() => on.onEdit(envelope)}
        />
      )}
      <IconButton
        icon={CopyPlus}
        label={t("duplicate.named", named)}
        side="bottom"
        tip={t("duplicate.action")}
        onClick={() => on.onDuplicate(envelope)}
        boxClass="max-md:hidden"
      />
      <IconButton
        icon={Trash2}
        tone="danger"
        label={t("deleteNamed", named)}
        side="bottom"
        tip={t("common:delete")}
        onClick={() => on.onDelete(envelope)}
        boxClass="md:ml-2"
      />
    </span>
  );
}
