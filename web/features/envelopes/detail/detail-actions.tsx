import {
  Bell,
  CalendarCheck,
  Check,
  Copy,
  CopyPlus,
  Ellipsis,
  LayoutTemplate,
  Pencil,
  RefreshCw,
  Send,
  Trash2,
  UsersRound,
} from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { isUnsent } from "../../../../worker/contract/options";
import { ActionMenu, type MenuAction } from "../../../components/ui/action-menu";
import { Button } from "../../../components/ui/button";
import { ConfirmDialog } from "../../../components/ui/confirm-dialog";
import { iconButtonClass } from "../../../components/ui/icon-button";
import { lazyComponent } from "../../../components/ui/lazy-component";
import { useRole } from "../../workspaces/workspaces.queries";
import { useCopyLink } from "../copy-link";
import { canRemind, recipientOf, rowOf } from "../envelope";
import type { Envelope } from "../envelopes.queries";
import { useSendNow } from "../timeline.queries";
import { ChangeDueDate } from "./dates";
import { useReplaceLink } from "./detail.queries";
import { type ReviewActions, SubmittedActions } from "./submitted-documents";

const DeleteEnvelopeDialog = lazyComponent(() => import("../delete-envelope-dialog"));
const BulkDialog = lazyComponent(() => import("../bulk/bulk-dialog"));

export type DetailHandlers = {
  onEdit: () => void;
  onDuplicate: () => void;
  onCopy: () => void;
  onSaveTemplate: () => void;
  onDeleted: () => void;
};

type DetailActionsProps = DetailHandlers &
  ReviewActions & {
    envelope: Envelope;
    /** Called when a form is removed, which had the focus. */
    onFormClosed: () => void;
  };

/** What is done with an envelope in its state, in one row, and the rest in a menu. */
export function DetailActions({ envelope, onFormClosed, ...handlers }: DetailActionsProps) {
  const { t } = useTranslation(["envelopes", "schedules", "common"], { useSuspense: false });
  const { mayEdit } = useRole(envelope.workspaceId);
  const [open, setOpen] = useState<"remind" | "due" | "link" | "delete">();
  const [copied, setCopied] = useState(false);
  const copyLink = useCopyLink();
  const { id, status, dueDate, submissionToken } = envelope;
  const isPending = status === "pending";
  // Otherwise the one primary action is to send what is collected.
  const isCopyPrimary = isPending && handlers.review.pendingReturns.size === 0;
  const send = useSendNow();
  const replace = useReplaceLink(id);
  const close = () => setOpen(undefined);
  const editing = { label: t("detail.edit"), icon: Pencil, onAction: handlers.onEdit };
  const more: (MenuAction | false)[] = [
    isPending && editing,
    isPending && { label: t("newLink.action"), icon: RefreshCw, onAction: () => setOpen("link") },
    { label: t("duplicate.action"), icon: CopyPlus, onAction: handlers.onDuplicate },
    { label: t("duplicate.toOthers"), icon: UsersRound, onAction: handlers.onCopy },
    { label: t("saveTemplate.action"), icon: LayoutTemplate, onAction: handlers.onSaveTemplate },
    { label: t("delete.title"), icon: Trash2, onAction: () => setOpen("delete") },
  ];
  return (
    <div>
      <div className="flex flex-wrap gap-2">
        {status === "completed" && <SubmittedActions envelope={envelope} {...handlers} />}
        {mayEdit && isUnsent(status) && (
          <Button size="sm" variant="primary" onClick={editing.onAction}>
            <Pencil aria-hidden />
            {editing.label}
          </Button>
        )}
        {mayEdit && status === "scheduled" && (
          <Button size="sm" loading={send.isPending} onClick={() => send.mutate(envelope.id)}>
            {!send.isPending && <Send aria-hidden />}
            {t("schedules:sendNow.action")}
          </Button>
        )}
        {mayEdit && canRemind(envelope) && (
          <Button size="sm" onClick={() => setOpen("remind")}>
            <Bell aria-hidden />
            {t("remind.short")}
          </Button>
        )}
        {mayEdit && isPending && (
          <Button size="sm" className="touch:min-w-10" onClick={() => setOpen("due")}>
            <CalendarCheck aria-hidden />
            <span className="@max-md:sr-only">{t(dueDate ? "due.change" : "due.set")}</span>
          </Button>
        )}
        {mayEdit && status !== "completed" && status !== "scheduled" && submissionToken && (
          <Button
            size="sm"
            variant={isCopyPrimary ? "primary" : "secondary"}
            onClick={() => void copyLink(id, submissionToken).then(setCopied)}
          >
            {copied ? <Check aria-hidden /> : <Copy aria-hidden />}
            {t("detail.copy")}
          </Button>
        )}
        {mayEdit && (
          <ActionMenu
            to="bottom end"
            aria-label={t("common:moreActions")}
            title={t("common:moreActions")}
            className={`${iconButtonClass} border border-line-strong bg-surface hover:bg-hover hover:text-ink`}
            actions={more.filter((action) => action !== false)}
          >
            <Ellipsis aria-hidden className="size-4" />
          </ActionMenu>
        )}
      </div>
      {open === "due" && (
        <div className="mt-3 max-w-sm">
          <ChangeDueDate
            envelope={envelope}
            onDone={() => {
              close();
              onFormClosed();
            }}
          />
        </div>
      )}
      {open === "remind" && (
        <BulkDialog
          nested
          action="remind"
          // A whole envelope does not say the last one, which a reminder does not need.
          envelopes={[{ ...rowOf(envelope), opened: false }]}
          onClose={close}
        />
      )}
      {open === "link" && (
        <ConfirmDialog
          open
          title={t("newLink.title")}
          text={t("newLink.text", { name: recipientOf(envelope) || envelope.customerEmail })}
          confirmLabel={t("newLink.confirm")}
          pending={replace.isPending}
          onConfirm={() => replace.mutate(undefined, { onSettled: close })}
          onCancel={close}
        />
      )}
      {open === "delete" && (
        <DeleteEnvelopeDialog envelope={rowOf(envelope)} onClose={close} onDeleted={handlers.onDeleted} />
      )}
    </div>
  );
}
