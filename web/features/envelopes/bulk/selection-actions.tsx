import { Bell, Check, Download, Grid3x3, Trash2, UserRound } from "lucide-react";
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

/** The bar with the actions for the selected rows, and the dialog of the chosen action. */
export function SelectionActions({ selected, count, members, onClear, onBoard }: SelectionActionsProps) {
  const [action, setAction] = useState<BulkAction | null>(null);
  return (
    <>
      <BulkBar
        selected={selected}
        total={count}
        shared={members !== undefined}
        onAction={setAction}
        onClear={onClear}
        onBoard={onBoard && (() => onBoard(selected.map(({ id }) => id).join()))}
      />
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

type BulkBarProps = {
  selected: readonly EnvelopeRow[];
  total: number;
  shared: boolean;
  onAction: (action: BulkAction) => void;
  onClear: () => void;
  onBoard: (() => void) | undefined;
};

const ACTIONS = [
  { action: "remind", icon: Bell, changes: true },
  { action: "assign", icon: UserRound, changes: true },
  { action: "accept", icon: Check, changes: true },
  { action: "download", icon: Download, changes: false },
  { action: "delete", icon: Trash2, changes: true },
] as const;

/** The actions for the selected rows, each with the number of those that it applies to. It floats at the bottom while rows are selected. */
function BulkBar({ selected, total, shared, onAction, onClear, onBoard }: BulkBarProps) {
  const { t } = useTranslation("envelopes");
  const format = useFormat();
  const count = selected.length;
  const isPart = count >= SELECTED_MAX && count < total;
  const text = isPart
    ? t("bulk.selectedFirst", { selected: format.number(count), total: format.number(total) })
    : t("bulk.selected", { count });
  const { mayEdit } = useRole();
  const actions = ACTIONS.filter(
    ({ action, changes }) => (mayEdit || !changes) && (shared || action !== "assign"),
  )
    .map((entry) => ({ ...entry, affected: planAction(entry.action, selected).affected.length }))
    .filter(({ affected }) => affected > 0);
  const answered = selected.filter(({ status, questions }) => status === "completed" && questions > 0);
  return (
    <>
      <p id={BULK_KEYS} className="sr-only">
        {t("bulk.keys")}
      </p>
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
            onClick={() => onAction(action)}
          >
            <Icon aria-hidden />
            {/* The space belongs to its name, "Remind 5". */}
            <span className="max-[379px]:hidden">{`${t(`bulk.${action}.action`)} `}</span>
            <span className="text-ink-soft tabular-nums">{format.number(affected)}</span>
          </Button>
        ))}
        {answered.length > 0 && (
          <DownloadAnswers envelopes={`ids=${answered.map(({ id }) => id).join()}`} count={answered.length} />
        )}
        {onBoard && count <= LIMITS.listedIds && (
          <Button size="sm" className="max-[379px]:px-2" onClick={onBoard}>
            <Grid3x3 aria-hidden />
            <span className="max-[379px]:sr-only">{t("view.board")}</span>
          </Button>
        )}
      </SelectionBar>
    </>
  );
}
