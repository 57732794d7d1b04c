import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Issue } from "../../../../worker/contract/error-body";
import type { NotificationPreference } from "../../../../worker/contract/options";
import { typedPlaceholders } from "../../../../worker/contract/placeholders";
import type { CellProblem } from "../../../components/list/list-table";
import { messageKeyOf } from "../../../lib/error-text";
import {
  FIELDS,
  type FillContext,
  missingOf,
  problemsOf,
  type RecipientList,
  type RecipientRow,
  valueField,
} from "./recipient-list";

type RowProblemsOptions = {
  list: RecipientList;
  left: ReadonlySet<number>;
  preference: NotificationPreference;
  context: FillContext;
};

/** The rows that are sent, and what is wrong with each: as checked here, and as rejected by the server. */
export function useRowProblems({ list, left, preference, context }: RowProblemsOptions) {
  const { t } = useTranslation(["several", "validation", "errors"]);
  const problems = useMemo(() => problemsOf(list.rows, left, preference), [list.rows, left, preference]);
  const missing = useMissing(list, left, context);
  /** What the server rejected, until the row is edited. */
  const [rejected, setRejected] = useState<ReadonlyMap<RecipientRow, CellProblem>>(new Map());

  const sent = list.rows.flatMap((row, index) => (left.has(index) ? [] : { row, index }));
  const wrong = sent.flatMap(({ row, index }) => {
    const problem = problems[index];
    return (problem && !problem.isWarning) || rejected.has(row) ? index : [];
  });
  const lacking = sent.flatMap(({ row, index }) => {
    const names = missing[index] ?? [];
    return names.length > 0 ? { index, name: row.recipientName, names: typedPlaceholders(names) } : [];
  });
  const problemOf = (index: number): CellProblem | undefined => {
    const row = list.rows[index];
    const problem = problems[index];
    if (!row || left.has(index)) return undefined;
    const rejection = rejected.get(row);
    if (rejection) return rejection;
    if (problem && !problem.isWarning)
      return { field: problem.field, text: t(`validation:${problem.message}`) };
    const [lacked] = missing[index] ?? [];
    if (lacked !== undefined) {
      const names = typedPlaceholders(missing[index] ?? []);
      return { field: `values.${lacked}`, text: t("noValue", { names }) };
    }
    return problem && { ...problem, text: t(`validation:${problem.message}`) };
  };
  /** Shows the first issue of each row; returns the rejected cells, in the order of the issues. */
  const showRejected = (issues: readonly Issue[]) => {
    const rows = new Map<RecipientRow, CellProblem>();
    const targets = [];
    for (const { path, message } of issues) {
      const [head, position, ...rest] = path.split(".");
      const at = head === "recipients" ? sent[Number(position)] : undefined;
      if (!at || rows.has(at.row)) continue;
      const { field, missing } = rejectionOf(rest.join("."), message);
      const key = messageKeyOf(message);
      const names = missing.join(", ");
      const text = key ? t(`validation:${key}`) : names ? t("noValue", { names }) : message;
      rows.set(at.row, { field, text });
      targets.push({ index: at.index, field });
    }
    setRejected(rows);
    return targets;
  };
  return { sent, wrong, lacking, problemOf, showRejected };
}

/** The cell that the server rejected, and the placeholders that it has no value for. */
function rejectionOf(path: string, message: string): { field: string; missing: readonly string[] } {
  const missing = message.match(/\{[^{}]+\}/g) ?? [];
  const isCell = FIELDS.some((field) => field === path) || path.startsWith(valueField(""));
  if (isCell) return { field: path, missing };
  const [name] = missing;
  if (name) return { field: valueField(name.slice(1, -1)), missing };
  return { field: path === "countryCode" ? "recipientPhone" : "recipientName", missing };
}

/** The placeholders that each row lacks. A row is read again only if it or the texts have changed. */
function useMissing(list: RecipientList, left: ReadonlySet<number>, context: FillContext): string[][] {
  const cache = useMemo(() => {
    void context;
    return new WeakMap<RecipientRow, string[]>();
  }, [context]);
  return useMemo(() => missingOf(list.rows, left, context, cache), [list.rows, left, context, cache]);
}
