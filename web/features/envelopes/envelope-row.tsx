import { Link } from "@tanstack/react-router";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import { cx } from "../../lib/cx";
import { useFormat } from "../../lib/use-format";
import { useMediaQuery } from "../../lib/use-media-query";
import { SelectRow } from "./bulk/select-row";
import type { SelectionHandlers } from "./bulk/use-selection";
import { recipientOf } from "./envelope-display";
import type { Envelope } from "./envelopes.queries";
import { ProgressLine } from "./progress-line";
import { type RowActionHandlers, RowActions } from "./row-actions";
import { StatusBadge } from "./status-badge";

/** The actions of a row; the same object for each row, so that unchanged rows are not rendered again. */
export type RowHandlers = RowActionHandlers & SelectionHandlers;

export type EnvelopeRowsProps = {
  envelopes: readonly Envelope[];
  selected: ReadonlySet<number>;
  handlers: RowHandlers;
};

type EnvelopeRowProps = {
  envelope: Envelope;
  /** Its index in the whole table, counted from 1 for the header. */
  rowIndex: number;
  selected: boolean;
  handlers: RowHandlers;
};

const cellClass =
  "h-[93px] border-line border-b px-3 md:h-[77px] xl:h-[61px] group-hover:bg-paper group-focus-within:bg-paper group-data-selected:bg-accent-soft";

/**
 * The subject is a link that covers the whole row; checkbox and buttons lie above it. Safari does not position elements
 * by a table row, so the cell positions the link's box, which is as wide as the table without the checkbox. On a narrow
 * screen, columns without space are shown under the subject.
 */
export const EnvelopeRow = memo(function EnvelopeRow(props: EnvelopeRowProps) {
  const { envelope, rowIndex, selected, handlers } = props;
  const { t } = useTranslation("envelopes");
  const format = useFormat();
  const hasStatus = useMediaQuery("(min-width: 48rem)");
  const hasRecipient = useMediaQuery("(min-width: 80rem)");
  const recipient = recipientOf(envelope);
  const subject = envelope.subject || t("noSubject");
  return (
    <tr aria-rowindex={rowIndex} data-selected={selected || undefined} className="group">
      <td className={cx(cellClass, "px-0!")}>
        <SelectRow id={envelope.id} subject={subject} selected={selected} {...handlers} />
      </td>
      <td className={cx(cellClass, "relative pr-1! pl-2!")}>
        <span className="flex items-center gap-2">
          <Link
            to="/"
            search={(search) => ({ ...search, envelope: envelope.id })}
            resetScroll={false}
            preload={false}
            title={subject}
            className={cx(
              "min-w-0 truncate rounded-sm outline-none after:absolute after:inset-y-0 after:left-0 after:w-[calc(100cqw-2.25rem)] focus-visible:after:rounded-control focus-visible:after:outline-2 focus-visible:after:outline-accent focus-visible:after:-outline-offset-2",
              envelope.isNew ? "font-semibold" : "font-medium",
              !envelope.subject && "text-ink-soft",
            )}
          >
            {subject}
          </Link>
          {envelope.isNew && (
            <span className="shrink-0 rounded-full bg-accent px-1.5 font-semibold text-accent-ink text-xs leading-5">
              {t("new")}
            </span>
          )}
        </span>
        {!hasRecipient && (
          <p className="flex items-center gap-2 text-ink-soft text-xs max-md:my-0.5">
            {!hasStatus && <StatusBadge status={envelope.status} />}
            <span className="truncate" title={recipient}>
              {recipient}
            </span>
          </p>
        )}
        <p className="line-clamp-2 text-ink-soft text-xs">
          <ProgressLine envelope={envelope} />
        </p>
      </td>
      <td className={cx(cellClass, "hidden truncate xl:table-cell")} title={recipient}>
        {hasRecipient && (recipient || <span className="text-ink-soft">{t("noRecipient")}</span>)}
      </td>
      <td className={cx(cellClass, "hidden md:table-cell")}>
        {hasStatus && <StatusBadge status={envelope.status} />}
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
