import { Link } from "@tanstack/react-router";
import { Bell, CopyPlus, Link2, MailQuestionMark, Pencil, Trash2 } from "lucide-react";
import { memo, useDeferredValue, useId } from "react";
import { useTranslation } from "react-i18next";
import { daysBetween } from "../../../worker/contract/days";
import type { EnvelopeRow as Row } from "../../../worker/contract/envelopes";
import { hasToReview, isUndelivered } from "../../../worker/contract/request-words";
import { Badge } from "../../components/ui/badge";
import { IconButton } from "../../components/ui/icon-button";
import { Skeleton } from "../../components/ui/query-placeholder";
import { Separated } from "../../components/ui/separated";
import { cx } from "../../lib/cx";
import { today } from "../../lib/time-zone";
import { useFormat } from "../../lib/use-format";
import { useMediaQuery } from "../../lib/use-media-query";
import { useAccountTimeZone } from "../auth/auth.queries";
import type { Member } from "../workspaces/members/members.queries";
import { AssigneePicture } from "./assignee";
import type { SelectionHandlers } from "./bulk/select-row";
import { SelectRow } from "./bulk/select-row";
import { type Envelope, type RowOfEnvelope, rowOf } from "./envelope";
import type { PendingReturns } from "./review/pending-returns";
import { DeliveryBadge, StatusBadge, ToReviewBadge } from "./status-badge";

/** The actions of a row; the same object for each row, so that unchanged rows are not rendered again. */
export type RowHandlers = RowActionHandlers & SelectionHandlers;

export type EnvelopeRowsProps = {
  envelopes: readonly Row[];
  selected: ReadonlySet<number>;
  /** The returns that are not sent yet, by envelope. */
  unsent: ReadonlyMap<number, PendingReturns>;
  /** Of a shared workspace: the rows show whom they are assigned to. */
  members: readonly Member[] | undefined;
  handlers: RowHandlers;
};

type EnvelopeRowProps = Pick<EnvelopeRowsProps, "members" | "handlers"> & {
  envelope: Row;
  /** Its index in the whole table, counted from 1 for the header. */
  rowIndex: number;
  selected: boolean;
  unsent: PendingReturns | undefined;
};

const cellClass =
  "h-[93px] border-line border-b px-3 md:h-[77px] xl:h-[61px] group-hover:bg-paper group-focus-within:bg-paper group-data-selected:bg-accent-soft";

/**
 * The subject is a link that covers the whole row; checkbox and buttons lie above it. Safari does not position elements
 * by a table row, so the cell positions the link's box, which is as wide as the table without the checkbox. On a narrow
 * screen, columns without space are shown under the subject.
 */
export const EnvelopeRow = memo(function EnvelopeRow(props: EnvelopeRowProps) {
  const { envelope, rowIndex, selected, unsent, members, handlers } = props;
  const { t } = useTranslation("envelopes");
  const format = useFormat();
  const hasStatus = useMediaQuery("(min-width: 48rem)");
  const hasRecipient = useMediaQuery("(min-width: 80rem)");
  const recipient = envelope.recipient ?? "";
  const subject = envelope.subject || t("noSubject");
  const undelivered = isUndelivered(envelope, new Date()) && envelope.delivery !== "ok" && envelope.delivery;
  const unsentCount = unsent?.size ?? 0;
  const markId = useId();
  return (
    <tr aria-rowindex={rowIndex} data-selected={selected || undefined} className="group">
      <td className={cx(cellClass, "px-0!")}>
        <SelectRow id={envelope.id} subject={subject} selected={selected} {...handlers} />
      </td>
      <td className={cx(cellClass, "relative pr-1! pl-2!")}>
        <div className="flex items-center gap-2.5">
          {members && <AssigneePicture userId={envelope.assigneeId} members={members} />}
          <div className="min-w-0 flex-1">
            <span className="flex items-center gap-2">
              <Link
                to="/"
                search={(search) => ({ ...search, envelope: envelope.id })}
                resetScroll={false}
                preload={false}
                title={subject}
                aria-describedby={undelivered ? markId : undefined}
                className={cx(
                  "min-w-0 truncate rounded-sm outline-none after:absolute after:inset-y-0 after:left-0 after:w-[calc(100cqw-2.25rem)] focus-visible:after:rounded-control focus-visible:after:outline-2 focus-visible:after:outline-accent focus-visible:after:-outline-offset-2",
                  envelope.isNew ? "font-semibold" : "font-medium",
                  !envelope.subject && "text-ink-soft",
                )}
              >
                {subject}
              </Link>
              {undelivered && <DeliveryBadge id={markId} delivery={undelivered} />}
              {unsentCount > 0 && <UnsentBadge count={unsentCount} />}
              {envelope.isNew && (
                <span className="shrink-0 rounded-full bg-accent px-1.5 font-semibold text-accent-ink text-xs leading-5">
                  {t("new")}
                </span>
              )}
            </span>
            {!hasRecipient && (
              <p className="flex items-center gap-2 text-ink-soft text-xs max-md:my-0.5">
                {!hasStatus && <StatusBadge status={envelope.status} unfinished={hasToReview(envelope)} />}
                <span className="truncate" title={recipient}>
                  {recipient}
                </span>
              </p>
            )}
            <ProgressLine envelope={envelope} />
          </div>
        </div>
      </td>
      <td className={cx(cellClass, "hidden truncate xl:table-cell")} title={recipient}>
        {hasRecipient && (recipient || <span className="text-ink-soft">{t("noRecipient")}</span>)}
      </td>
      <td className={cx(cellClass, "hidden md:table-cell")}>
        {hasStatus && (
          <span className="inline-flex flex-col items-start gap-0.5">
            <StatusBadge status={envelope.status} unfinished={hasToReview(envelope)} />
            {hasToReview(envelope) && <ToReviewBadge />}
          </span>
        )}
      </td>
      <td className={cx(cellClass, "hidden whitespace-nowrap tabular-nums md:table-cell")}>
        <time dateTime={envelope.createdAt} title={format.dateTime(envelope.createdAt)}>
          {format.date(envelope.createdAt)}
        </time>
      </td>
      <td className={cx(cellClass, "px-0.5! text-right")}>
        <RowActions envelope={envelope} subject={subject} {...handlers} />
      </td>
    </tr>
  );
});

/** A row that is not loaded yet. */
export function LoadingRow({ rowIndex }: { rowIndex: number }) {
  const { t } = useTranslation("common");
  return (
    <tr aria-rowindex={rowIndex} aria-busy>
      <td className={cellClass} />
      <td className={cx(cellClass, "pl-2!")}>
        <span className="sr-only">{t("loading")}</span>
        <Skeleton className="h-3.5 w-3/5" />
        <Skeleton className="mt-2 h-3 w-2/5" />
      </td>
      <td className={cx(cellClass, "hidden xl:table-cell")}>
        <Skeleton className="h-3.5 w-2/3" />
      </td>
      <td className={cx(cellClass, "hidden md:table-cell")}>
        <Skeleton className="h-6 w-20 rounded-full" />
      </td>
      <td className={cx(cellClass, "hidden md:table-cell")}>
        <Skeleton className="h-3.5 w-20" />
      </td>
      <td className={cellClass} />
    </tr>
  );
}

/** Says that a document is to be asked for again, but that the recipient was not told. */
function UnsentBadge({ count }: { count: number }) {
  const { t } = useTranslation("envelopes");
  return (
    <span title={t("unsent.hint")} className="shrink-0">
      <Badge tone="warn" icon={MailQuestionMark}>
        {t("unsent.badge", { count })}
      </Badge>
    </span>
  );
}

/**
 * "2 of 3 documents · link works until 3 Dec": the progress, and the last or next event. On a tablet the recipient has a
 * line above, and what does not fit beside is in the tooltip.
 */
function ProgressLine({ envelope }: { envelope: Row }) {
  const { amount, due, last, submitted, reminded } = useRowProgress(envelope);
  const review = hasToReview(envelope);
  const title = [amount, due, reminded, last].filter(Boolean).join(" · ");
  return (
    <p title={title} className="max-h-8 overflow-hidden text-ink-soft text-xs md:max-xl:max-h-4">
      <Separated>
        <span className={cx(review && "font-medium text-accent")}>{amount}</span>
        {due && <span className={cx(envelope.overdue && "font-medium text-warn")}>{due}</span>}
        {/* The badge beside says that it is completed, and two lines have no space for it. */}
        {reminded}
        {review ? submitted : last}
      </Separated>
    </p>
  );
}

/** What the row of an envelope lacks of its details. */
type Details = Pick<Envelope, "progress" | "expiresAt" | "timeZone">;

/** How much was submitted, the last or next event, and when the recipient was reminded. */
export const useProgress = (envelope: Envelope) => useRowProgress(rowOf(envelope), envelope);

function useRowProgress(envelope: RowOfEnvelope, details?: Details) {
  const { t } = useTranslation("envelopes");
  const format = useFormat();
  const accountZone = useAccountTimeZone();
  const link = details ?? { expiresAt: null, timeZone: accountZone };
  const { documents, received, toReview, status, expirationDate, completedAt, sentAt, createdAt } = envelope;
  const amount = () => {
    if (hasToReview(envelope)) return t("progress.toReview", { count: toReview });
    if (status === "draft") return t("progress.asked", { count: documents });
    if (details?.progress?.uploaded) return t("progress.uploading", details.progress);
    return t("progress.received", { count: documents, received });
  };
  const submitted = format.when(completedAt ?? createdAt);
  const last = () => {
    if (status === "draft") return t("progress.notSent");
    if (status === "completed") return t("progress.completed", { when: submitted });
    if (!expirationDate) return t("progress.sent", { when: format.when(sentAt ?? createdAt) });
    return t(status === "expired" ? "progress.expired" : "progress.worksUntil", {
      date: format.lastDay({ ...link, expirationDate }),
    });
  };
  const due = useDue(envelope, link.timeZone);
  const reminded = envelope.remindedAt && t("progress.reminded", { when: format.when(envelope.remindedAt) });
  return { amount: amount(), due, last: last(), submitted, reminded };
}

/** "due in 3 days", "2 days overdue": counted in the time zone in which the due date was set. */
function useDue({ status, dueDate, overdue }: RowOfEnvelope, timeZone: string | null): string | null {
  const { t } = useTranslation("envelopes");
  if (status !== "pending" || !dueDate) return null;
  const days = daysBetween(today(timeZone), dueDate);
  if (overdue) return t("progress.overdue", { count: Math.max(1, -days) });
  return days > 0 ? t("progress.dueIn", { count: days }) : t("progress.dueToday");
}

export type RowActionHandlers = {
  /** Without it, there are no actions. */
  mayEdit: boolean;
  onEdit: (envelope: Row) => void;
  onDelete: (envelope: Row) => void;
  onRemind: (envelope: Row) => void;
  onCopyLink: (envelope: Row) => void;
  onDuplicate: (envelope: Row) => void;
};

type RowActionsProps = RowActionHandlers & { envelope: Row; subject: string };

/**
 * The actions for an envelope in its row; the destructive one stands apart. On a phone two buttons are stacked: the link
 * is copied and the envelope duplicated in the details there.
 */
function RowActions({ envelope, subject, ...on }: RowActionsProps) {
  const { t } = useTranslation(["envelopes", "common"]);
  // Half of a row, which is not visible before the row is pointed at: rendered after the rows are shown.
  const rendered = useDeferredValue(true, false);
  const named = { name: subject };
  if (!rendered || !on.mayEdit) return null;
  return (
    <span className="relative z-[1] inline-flex gap-0.5 align-middle opacity-0 transition-opacity duration-150 group-focus-within:opacity-100 group-hover:opacity-100 max-md:flex-col max-md:gap-2 max-md:[&_button]:size-10 touch:opacity-100 touch:[&_button]:size-10">
      {envelope.status === "pending" && (
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
      {envelope.status === "draft" && (
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
