import {
  Bell,
  CalendarClock,
  Check,
  Download,
  FileSpreadsheet,
  Grid3x3,
  Trash2,
  UserRound,
} from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { EnvelopeRow } from "../../../../worker/contract/envelopes";
import { LIMITS } from "../../../../worker/contract/limits";
import { lazyComponent } from "../../../components/ui/lazy-component";
import { type SelectionAction, SelectionBar } from "../../../components/ui/selection-bar";
import { useFormat } from "../../../lib/use-format";
import type { Member } from "../../workspaces/members/members.queries";
import { useRole } from "../../workspaces/workspaces.queries";
import { useDownloadAnswers } from "../download-answers";
import { type BulkAction, planAction } from "./bulk-actions";
import { BULK_KEYS, FIRST_BULK_ACTION, SELECTED_MAX } from "./select-row";

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
  const answers = useDownloadAnswers();
  const count = selected.length;
  const ids = (rows: readonly EnvelopeRow[]) => rows.map(({ id }) => id).join();
  const isPart = count >= SELECTED_MAX && count < total;
  const text = isPart
    ? t("bulk.selectedFirst", { selected: format.number(count), total: format.number(total) })
    : t("bulk.selected", { count });
  const { mayEdit } = useRole();
  const answered = selected.filter(({ status, questions }) => status === "completed" && questions > 0);
  const actions: SelectionAction[] = ACTIONS.filter(
    ({ action, changes }) => (mayEdit || !changes) && (members || action !== "assign"),
  )
    .map(({ action, icon }) => ({
      ...{ label: t(`bulk.${action}.action`), icon, onAct: () => setAction(action) },
      count: planAction(action, selected).affected.length,
    }))
    .filter(({ count }) => count > 0)
    .map((entry, index) => (index === 0 ? { ...entry, id: FIRST_BULK_ACTION } : entry));
  if (answered.length > 0)
    actions.push({
      ...{ label: t("downloadAnswers"), icon: FileSpreadsheet, count: answered.length },
      onAct: () => answers.mutate(`ids=${ids(answered)}`),
      loading: answers.isPending,
    });
  if (onBoard && count <= LIMITS.listedIds)
    actions.push({ label: t("view.board"), icon: Grid3x3, onAct: () => onBoard(ids(selected)) });
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
        actions={actions}
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
