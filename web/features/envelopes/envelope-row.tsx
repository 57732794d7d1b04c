import { Link } from "@tanstack/react-router";
import { Bell, Check, CopyPlus, FileSearch, Link2, Pencil, Trash2 } from "lucide-react";
import { memo, type ReactNode, type MouseEvent as RowClick, useDeferredValue, useId } from "react";
import { useTranslation } from "react-i18next";
import { daysBetween } from "../../../worker/contract/days";
import type { EnvelopeRow as Row } from "../../../worker/contract/envelopes";
import { isUnsent } from "../../../worker/contract/options";
import { COUNTED, hasToReview, type Mark, marksOf } from "../../../worker/contract/request-words";
import { IconButton } from "../../components/ui/icon-button";
import { Skeleton } from "../../components/ui/query-placeholder";
import { cx } from "../../lib/cx";
import { today } from "../../lib/time-zone";
import { useEntryCount, useFormat } from "../../lib/use-format";
import type { Member } from "../workspaces/members/members.queries";
import { AssigneePicture } from "./assignee";
import { type SelectionHandlers, SelectRow } from "./bulk/select-row";
import { type Envelope, type RowOfEnvelope, rowOf } from "./envelope";
import type { PendingReturns } from "./review/pending-returns";
import { StatusBadge } from "./status-badge";

/** The actions of a row; the same object for each row, so that unchanged rows are not rendered again. */
export type RowHandlers = RowActionHandlers & SelectionHandlers;

export type EnvelopeRowsProps = {
  envelopes: readonly Row[];
  selected: ReadonlySet<number>;
  /** The returns that are not sent yet, by envelope. */
  unsent: ReadonlyMap<number, PendingReturns>;
  /** Of a shared workspace: the rows show whom they are assigned to. */
  members: readonly Member[] | undefined;
  /** Whether all are of one bulk send: their subjects say little then. */
  ofOneSend: boolean;
  handlers: RowHandlers;
};

type EnvelopeRowProps = Pick<EnvelopeRowsProps, "members" | "ofOneSend" | "handlers"> & {
  envelope: Row;
  /** Its index in the whole table, counted from 1 for the header. */
  rowIndex: number;
  selected: boolean;
  unsent: PendingReturns | undefined;
  /** Whether the screen has a column for the status, and for facts. */
  hasStatus: boolean;
  hasFacts: boolean;
  /** That of the account. */
  timeZone: string | null;
};

const cellClass =
  "h-[69px] border-line border-b px-3 md:h-[61px] group-hover:bg-paper group-focus-within:bg-paper group-data-selected:bg-accent-soft";
/** The cells of facts that are in the second line of a narrower screen. */
export const FACT_CELL = "hidden xl:table-cell beside:hidden px-2! truncate tabular-nums snug:text-xs";

/** A click on a row follows its first link, unless it ends a selection of text; the middle button opens a new tab. */
function openRow(event: RowClick<HTMLElement>): void {
  const { currentTarget, target, button } = event;
  if (button === 2) return;
  // Events of menus and dialogs of the row arrive here too.
  if (!(target instanceof Element) || !currentTarget.contains(target)) return;
  if (target.closest("a, button, input, label") || getSelection()?.toString()) return;
  const link = currentTarget.querySelector("a");
  if (button === 1 || event.ctrlKey || event.metaKey) open(link?.href, "_blank", "noopener");
  else link?.click();
}

/**
 * The subject is a link, whose focus ring is around the whole row. Safari does not position elements by a table row, so
 * the cell positions the ring, which is as wide as the table without the checkbox. On a narrow screen, columns without
 * space are shown in the second line.
 */
export const EnvelopeRow = memo(function EnvelopeRow(props: EnvelopeRowProps) {
  const { envelope, rowIndex, selected, unsent, members, ofOneSend, handlers } = props;
  const { hasStatus, hasFacts, timeZone } = props;
  const { t } = useTranslation("envelopes");
  const format = useFormat();
  const recipient = envelope.recipient ?? "";
  const subject = envelope.subject || t("noSubject");
  const words = useId();
  const name = useId();
  // Envelopes of one bulk send have the same subject.
  const named = recipient ? `${subject}, ${recipient}` : subject;
  const status = (
    <StatusBadge status={envelope.status} unfinished={hasToReview(envelope)} sendOn={envelope.sendOn} />
  );
  const picture = members && <AssigneePicture userId={envelope.assigneeId} members={members} />;
  const quiet = ofOneSend && recipient !== "";
  const link = (
    <Link
      to="/"
      search={(search) => ({ ...search, envelope: envelope.id })}
      resetScroll={false}
      preload={false}
      title={subject}
      aria-describedby={`${name} ${words}`}
      className={cx(
        "min-w-0 scroll-mt-12 scroll-mb-24 truncate rounded-sm outline-none after:absolute after:inset-y-0 after:left-0 after:pointer-events-none after:w-[calc(100cqw-2.25rem)] focus-visible:after:rounded-control focus-visible:after:outline-2 focus-visible:after:outline-accent focus-visible:after:-outline-offset-2",
        quiet ? "text-ink-soft" : envelope.isNew ? "font-semibold" : "font-medium",
        !envelope.subject && "text-ink-soft",
      )}
    >
      {subject}
    </Link>
  );
  const recipientName = recipient && (
    <span id={name} title={recipient} className="min-w-0 truncate font-medium text-ink">
      {recipient}
    </span>
  );
  // Where the recipient has no column: in a list of one bulk send it is the first line, otherwise it begins the second.
  const [first, second] = hasFacts ? [link, null] : quiet ? [recipientName, link] : [link, recipientName];
  return (
    <tr
      aria-rowindex={rowIndex}
      data-selected={selected || undefined}
      className="group cursor-pointer"
      onClick={openRow}
      onAuxClick={openRow}
    >
      <td className={cx(cellClass, "px-0!")}>
        <SelectRow id={envelope.id} name={named} selected={selected} {...handlers} />
      </td>
      <td className={cx(cellClass, "relative pr-1! pl-2!")}>
        <div className="flex items-center gap-2.5">
          {!hasFacts && <span className="max-[479px]:hidden">{picture}</span>}
          <div className="min-w-0 flex-1">
            <div className="flex items-center gap-2">
              {envelope.isNew && (
                <span title={t("new")} className="size-2 shrink-0 rounded-full bg-accent">
                  <span className="sr-only">{t("new")}</span>
                </span>
              )}
              {first}
              {!hasStatus && <span className="ml-auto shrink-0 [&_svg]:hidden">{status}</span>}
            </div>
            <div className="flex items-baseline gap-1.5 text-ink-soft text-xs">
              {second && (
                <span className="flex min-w-0 max-w-3/5 shrink-0 text-sm max-md:max-w-1/2">{second}</span>
              )}
              <Words
                id={words}
                envelope={envelope}
                unsent={unsent?.size ?? 0}
                hasFacts={hasFacts}
                timeZone={timeZone}
              />
            </div>
          </div>
        </div>
      </td>
      <td className={cx(cellClass, "hidden truncate xl:table-cell")} title={recipient}>
        {hasFacts && (recipientName || <span className="text-ink-soft">{t("noRecipient")}</span>)}
      </td>
      <td className={cx(cellClass, "hidden md:table-cell xl:px-2! snug:[&_svg]:hidden")}>
        {hasStatus && status}
      </td>
      <td
        className={cx(
          cellClass,
          "hidden whitespace-nowrap tabular-nums md:table-cell beside:hidden xl:px-2! snug:text-xs",
        )}
      >
        <time dateTime={envelope.createdAt} title={format.dateTime(envelope.createdAt)}>
          {format.date(envelope.createdAt)}
        </time>
      </td>
      {hasFacts && <Facts envelope={envelope} picture={picture} />}
      <td className={cx(cellClass, "relative px-0.5! text-right")}>
        <RowActions envelope={envelope} name={named} {...handlers} />
      </td>
    </tr>
  );
});

/** Due, opened, reminded and, of a shared workspace, assigned to. */
function Facts({ envelope, picture }: { envelope: Row; picture: ReactNode }) {
  const { t } = useTranslation("envelopes");
  const format = useFormat();
  const { dueDate, remindedAt, status, overdue } = envelope;
  const opened = COUNTED.opened(envelope);
  return (
    <>
      <td className={cx(cellClass, FACT_CELL, overdue && "text-warn")}>{dueDate && format.day(dueDate)}</td>
      <td className={cx(cellClass, FACT_CELL)}>
        {!isUnsent(status) && (
          <>
            {opened ? <Check aria-hidden className="size-4 text-good" /> : <span aria-hidden>–</span>}
            <span className="sr-only">{t(opened ? "columns.opened" : "marks.notOpened")}</span>
          </>
        )}
      </td>
      <td
        className={cx(cellClass, FACT_CELL)}
        title={remindedAt ? t("progress.reminded", { when: format.dateTime(remindedAt) }) : undefined}
      >
        {remindedAt && format.relative(remindedAt, "short")}
      </td>
      {picture && <td className={cx(cellClass, FACT_CELL)}>{picture}</td>}
    </>
  );
}

/** A row that is not loaded yet. */
export function LoadingRow({ rowIndex, columns }: { rowIndex: number; columns: number }) {
  const { t } = useTranslation("common");
  return (
    <tr aria-rowindex={rowIndex} aria-busy>
      <td className={cellClass} />
      <td className={cx(cellClass, "pl-2!")}>
        <span className="sr-only">{t("loading")}</span>
        <Skeleton className="h-3.5 w-3/5" />
        <Skeleton className="mt-2 h-3 w-2/5" />
      </td>
      <td colSpan={columns - 2} className={cellClass}>
        <Skeleton className="hidden h-3.5 w-2/3 md:block" />
      </td>
    </tr>
  );
}

const TONES: Partial<Record<Mark, string>> = {
  toReview: "font-medium text-accent",
  unsent: "font-medium text-warn",
  overdue: "font-medium text-warn",
  notDelivered: "font-medium text-bad",
};

type WordsProps = { id: string; envelope: Row; unsent: number } & Pick<
  EnvelopeRowProps,
  "hasFacts" | "timeZone"
>;

/** "1 day overdue · not opened yet · 0 of 3 documents": the marks, and what happened last, in one line. */
function Words({ id, envelope, unsent, hasFacts, timeZone }: WordsProps) {
  const { t } = useTranslation("envelopes");
  const { amount, due, last, submitted, reminded } = useRowProgress(envelope, timeZone);
  const all = marksOf({ ...envelope, unsent }, new Date());
  // "Not opened yet" has a column on a wide screen.
  const marks = hasFacts ? all.filter((mark) => mark !== "notOpened") : all;
  const textOf = (mark: Mark) => {
    if (mark === "toReview") return amount;
    if (mark === "overdue") return due;
    return mark === "unsent" ? t("unsent.badge", { count: unsent }) : t(`marks.${mark}`);
  };
  const review = marks.includes("toReview");
  const rest = [
    !review && amount,
    !hasFacts && !marks.includes("overdue") && due,
    !hasFacts && reminded,
    review ? submitted : last,
  ].filter(Boolean);
  // Nobody opens what was not delivered, and a phone has room for one of these.
  const isFolded = (mark: Mark) => mark === "notOpened" && marks.includes("notDelivered");
  const parts = [
    ...marks.map((mark) => ({
      text: textOf(mark),
      className: TONES[mark] ?? "font-medium",
      place: isFolded(mark) ? "max-md:hidden" : undefined,
    })),
    ...(rest.length > 0 ? [{ text: rest.join(" · "), className: undefined, place: undefined }] : []),
  ];
  const hint = marks.includes("unsent")
    ? t("unsent.hint")
    : marks.includes("notDelivered") && t("delivery.hint");
  return (
    <p id={id} title={hint || parts.map(({ text }) => text).join(" · ")} className="min-w-0 truncate">
      {parts.map(({ text, className, place }, index) => (
        <span key={text} className={place}>
          <span className={className}>{text}</span>
          <span>{index < parts.length - 1 ? " · " : ""}</span>
        </span>
      ))}
    </p>
  );
}

/** What the row of an envelope lacks of its details. */
type Details = Pick<Envelope, "progress" | "expiresAt" | "timeZone">;

/** How much was submitted, the last or next event, and when the recipient was reminded. */
export const useProgress = (envelope: Envelope) =>
  useRowProgress(rowOf(envelope), envelope.timeZone, envelope);

function useRowProgress(envelope: RowOfEnvelope, timeZone: string | null, details?: Details) {
  const { t } = useTranslation("envelopes");
  const format = useFormat();
  const { count } = useEntryCount();
  const { documents, questions, received, toReview, status, expirationDate, completedAt, sentAt, createdAt } =
    envelope;
  const amount = () => {
    if (hasToReview(envelope)) return t("progress.toReview", { count: toReview });
    if (isUnsent(status)) return count(documents - questions, questions);
    if (details?.progress?.uploaded) return t("progress.uploading", details.progress);
    return t(questions > 0 ? "progress.receivedEntries" : "progress.received", {
      count: documents,
      received,
    });
  };
  const submitted = format.when(completedAt ?? createdAt);
  const last = () => {
    if (isUnsent(status)) return t("progress.notSent");
    if (status === "completed") return t("progress.completed", { when: submitted });
    if (!expirationDate) return t("progress.sent", { when: format.when(sentAt ?? createdAt) });
    return t(status === "expired" ? "progress.expired" : "progress.worksUntil", {
      // A row has no room for the time zone, which the details name.
      date: details ? format.lastDay({ ...details, expirationDate }) : format.day(expirationDate),
    });
  };
  const due = useDue(envelope, timeZone);
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
  onReview: (envelope: Row) => void;
};

type RowActionsProps = RowActionHandlers & { envelope: Row; name: string };

/**
 * The actions for an envelope in its row; the destructive one stands apart. On a phone or tablet there is the first one alone: the
 * others are in the details, or in the bar of what is selected. Elsewhere they cover the last columns.
 */
function RowActions({ envelope, name, ...on }: RowActionsProps) {
  const { t } = useTranslation(["envelopes", "common"]);
  // Half of a row, which is not visible before the row is pointed at: rendered after the rows are shown.
  const rendered = useDeferredValue(true, false);
  const named = { name };
  if (!rendered || !on.mayEdit) return null;
  const { status } = envelope;
  const actions = [
    [hasToReview(envelope), FileSearch, "reviewNamed", "review", on.onReview],
    [status === "pending", Bell, "remind.named", "remind.short", on.onRemind],
    [status === "pending", Link2, "copyLinkNamed", "detail.copy", on.onCopyLink],
    [isUnsent(status), Pencil, "editNamed", "common:edit", on.onEdit],
    [true, CopyPlus, "duplicate.named", "duplicate.action", on.onDuplicate],
  ] as const;
  return (
    <span className="absolute inset-y-0 right-0 z-[1] inline-flex items-center gap-0.5 bg-paper pl-3 opacity-0 transition-opacity duration-150 group-focus-within:opacity-100 group-hover:opacity-100 group-data-selected:bg-accent-soft handheld:bg-transparent! handheld:opacity-100 handheld:[&>:not(:first-child)]:hidden handheld:[&_button]:size-10">
      {actions.map(
        ([isShown, icon, label, tip, act]) =>
          isShown && (
            <IconButton
              key={label}
              icon={icon}
              label={t(label, named)}
              side="bottom"
              tip={t(tip)}
              onClick={() => act(envelope)}
            />
          ),
      )}
      <IconButton
        icon={Trash2}
        tone="danger"
        label={t("deleteNamed", named)}
        side="bottom"
        tip={t("common:delete")}
        onClick={() => on.onDelete(envelope)}
        className="md:ml-2"
      />
    </span>
  );
}
