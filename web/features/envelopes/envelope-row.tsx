import { Link } from "@tanstack/react-router";
import { Pencil, Trash2 } from "lucide-react";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../components/ui/icon-button";
import { cx } from "../../lib/cx";
import { useFormat } from "../../lib/use-format";
import { useMediaQuery } from "../../lib/use-media-query";
import { recipientOf } from "./envelope-display";
import type { Envelope } from "./envelopes.queries";
import { ProgressLine } from "./progress-line";
import { StatusBadge } from "./status-badge";

export type EnvelopeActions = {
  onEdit: (envelope: Envelope) => void;
  onDelete: (envelope: Envelope) => void;
};

type EnvelopeRowProps = EnvelopeActions & {
  envelope: Envelope;
  /** Its index in the whole table, counted from 1 for the header. */
  rowIndex: number;
};

const cellClass =
  "h-[93px] border-line border-b px-3 md:h-[77px] xl:h-[61px] group-hover:bg-paper group-focus-within:bg-paper";

/**
 * The subject is a link that reaches over the whole row; the buttons lie above it. Its box is placed by the first
 * cell, since Safari places nothing by a table row, and is as wide as the table. What has no column on a narrow
 * screen stands under the subject, and is in the page once.
 */
export const EnvelopeRow = memo(function EnvelopeRow({
  envelope,
  rowIndex,
  onEdit,
  onDelete,
}: EnvelopeRowProps) {
  const { t } = useTranslation(["envelopes", "common"]);
  const format = useFormat();
  const hasStatus = useMediaQuery("(min-width: 48rem)");
  const hasRecipient = useMediaQuery("(min-width: 80rem)");
  const recipient = recipientOf(envelope);
  const subject = envelope.subject || t("noSubject");
  return (
    <tr aria-rowindex={rowIndex} className="group">
      <td className={cx(cellClass, "relative")}>
        <Link
          to="/"
          search={(search) => ({ ...search, envelope: envelope.id })}
          resetScroll={false}
          preload={false}
          title={subject}
          className={cx(
            "block truncate rounded-sm font-medium outline-none after:absolute after:inset-y-0 after:left-0 after:w-[100cqw] focus-visible:after:rounded-control focus-visible:after:outline-2 focus-visible:after:outline-accent focus-visible:after:-outline-offset-2",
            !envelope.subject && "text-ink-soft",
          )}
        >
          {subject}
        </Link>
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
      <td className={cx(cellClass, "px-1 text-right")}>
        <span className="relative z-[1] inline-flex gap-0.5 opacity-0 max-md:flex-col transition-opacity duration-150 group-focus-within:opacity-100 group-hover:opacity-100 touch:opacity-100">
          {envelope.isDraft && (
            <IconButton
              icon={Pencil}
              label={t("editNamed", { name: subject })}
              tip={t("common:edit")}
              onClick={() => onEdit(envelope)}
            />
          )}
          <IconButton
            icon={Trash2}
            tone="danger"
            label={t("deleteNamed", { name: subject })}
            tip={t("common:delete")}
            onClick={() => onDelete(envelope)}
          />
        </span>
      </td>
    </tr>
  );
});
