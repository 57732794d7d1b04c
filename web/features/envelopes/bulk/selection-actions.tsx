import { Bell, CalendarClock, Check, Download, Grid3x3, Trash2, UserRound } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { EnvelopeRow } from "../../../../worker/contract/envelopes";
import { LIMITS } from "../../../../worker/contract/limits";
import { Button } from "../../../components/ui/button";
import { lazyComponent } from "../../../components/ui/lazy-component";
import { SelectionBar } from "../../../components/ui/selection-bar";
import { useFormat } from "../../../lib/use-format";
import type { Member } from "../../workspaces/members/members.queries";
import { useRole } from "../../workspaces/workspaces.queries";
import { type BulkAction, planAction } from "./bulk-actions";
import { BULK_KEYS, FIRST_BULK_ACTION, SELECTED_MAX } from "./select-row";

const DownloadAnswers = lazyComponent(() => import("../download-answers"));
const BulkDialog = lazyComponent(() => import("./bulk-dialog"));

type SelectionActionsProps = {
  selected: readonly EnvelopeRow[];
  /** How many are listed. */
  count: number;
  /** Of a shared workspace. */
  members: readonly Member[] | undefined;
  onClear: () => void;
  /** Shows only these, by their ids, on the board; undefined on the board itself. */
  onBoard?: (ids: string) => void;
};

const ACTIONS = [
  { action: "remind", icon: Bell, changes: true },
  { action: "due", icon: CalendarClock, changes: true },
  { action: "assign", icon: UserRound, changes: true },
  { action: "accept", icon: Check, changes: true },
  { action: "download", icon: Download, changes: false },
  { action: "delete", icon: Trash2, changes: true },
] as const;

/**
 * The actions for the selected rows, each with the number of those that it applies to, and the dialog of the chosen one.
 * They float at the bottom while rows are selected.
 */
export function SelectionActions(props: SelectionActionsProps) {
  const { selected, count: total, members, onClear, onBoard } = props;
  const { t } = useTranslation("envelopes");
  const format = useFormat();
  const [action, setAction] = useState<BulkAction | null>(null);
  const count = selected.length;
  const ids = (rows: readonly EnvelopeRow[]) => rows.map(({ id }) => id).join();
  const isPart = count >= SELECTED_MAX && count < total;
  const text = isPart
    ? t("bulk.selectedFirst", { selected: format.number(count), total: format.number(total) })
    : t("bulk.selected", { count });
  const { mayEdit } = useRole();
  const actions = ACTIONS.filter(
    ({ action, changes }) => (mayEdit || !changes) && (members || action !== "assign"),
  )
    .map((entry) => ({ ...entry, affected: planAction(entry.action, selected).affected.length }))
    .filter(({ affected }) => affected > 0);
  const answered = selected.filter(({ status, questions }) => status === "completed" && questions > 0);
  return (
    <>
      {/* The board has other keys. */}
      {onBoard && (
        <p id={BULK_KEYS} className="sr-only">
          {t("bulk.keys")}
        </p>
      )}
      <SelectionBar
        label={t("bulk.label")}
        text={count > 0 ? text : ""}
        clearLabel={t("bulk.clear")}
        onClear={onClear}
      >
        {actions.map(({ action, icon: Icon, affected }, index) => (
          <Button
            key={action}
            id={index === 0 ? FIRST_BULK_ACTION : undefined}
            size="sm"
            className="max-[379px]:px-2"
            aria-label={`${t(`bulk.${action}.action`)} ${format.number(affected)}`}
            onClick={() => setAction(action)}
          >
            <Icon aria-hidden />
            {/* The space belongs to its name, "Remind 5". */}
            <span className="max-[379px]:hidden">{`${t(`bulk.${action}.action`)} `}</span>
            <span className="text-ink-soft tabular-nums">{format.number(affected)}</span>
          </Button>
        ))}
        {answered.length > 0 && (
          <DownloadAnswers envelopes={`ids=${ids(answered)}`} count={answered.length} />
        )}
        {onBoard && count <= LIMITS.listedIds && (
          <Button size="sm" className="max-[379px]:px-2" onClick={() => onBoard(ids(selected))}>
            <Grid3x3 aria-hidden />
            <span className="max-[379px]:sr-only">{t("view.board")}</span>
          </Button>
        )}
      </SelectionBar>
      {action && (
        <BulkDialog
          action={action}
          envelopes={selected}
          members={members}
          onClose={() => setAction(null)}
          onDone={() => {
            setAction(null);
            onClear();
            // The bulk bar was removed.
            requestAnimationFrame(() => document.getElementById("content")?.focus());
          }}
        />
      )}
    </>
  );
}
