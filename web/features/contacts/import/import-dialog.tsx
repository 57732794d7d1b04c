import { useCallback, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { LIMITS } from "../../../../worker/contract/limits";
import { ColumnChoices, ListSource, type SampleFile } from "../../../components/list/list-source";
import { ListState } from "../../../components/list/list-state";
import { type CellTarget, ListTable } from "../../../components/list/list-table";
import { Button } from "../../../components/ui/button";
import { Dialog } from "../../../components/ui/dialog";
import { toast } from "../../../components/ui/toast-store";
import { UnsavedChangesDialog, useUnsavedChanges } from "../../../components/ui/unsaved-changes";
import { keepTyped, mapHeader } from "../../../lib/list-columns";
import type { CsvTable } from "../../../lib/read-csv";
import { useSelectedWorkspace } from "../../workspaces/workspaces.queries";
import { useImportContacts } from "../contacts.queries";
import {
  COLUMNS,
  type Column,
  contactsOf,
  FIELDS,
  type Field,
  problemsOf,
  type Row,
  rowsOf,
} from "./import-rows";

const SAMPLE: SampleFile = {
  name: "contacts.csv",
  lines: [
    ["First Name", "Last Name", "Email", "Phone", "Company", "Language", "Notes"],
    ["Ada", "Lovelace", "ada@example.com", "+442079460000", "Engines Ltd", "en", ""],
  ],
};
type Loaded = { table: CsvTable; columns: (Column | "")[]; rows: Row[] };

/** Takes a list from a file: its columns, its rows with their problems, and what becomes of it. */
export default function ImportDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(["contacts", "lists", "common", "validation"]);
  const { loaded, left, chosen, setChosen, load, map, edit, toggle } = useLoadedList();
  const workspace = useSelectedWorkspace();
  const save = useImportContacts();
  const [target, setTarget] = useState<CellTarget | null>(null);
  const guard = useUnsavedChanges(loaded !== null);
  const problems = useMemo(() => problemsOf(loaded?.rows ?? [], left), [loaded, left]);
  const wrong = problems.flatMap((problem, index) => (problem && !problem.isWarning ? index : []));
  const [first] = wrong;
  const doubtful = problems.flatMap((problem, index) => (problem?.isWarning ? index : []));
  const count = (loaded?.rows.length ?? 0) - left.size;
  const { table, columns: mapped } = loaded ?? {};
  const columns = useMemo(
    () =>
      (table && mapped ? filledFields(table, mapped) : []).map((key) => ({
        ...{ key, label: t(`lists:columns.${key}`), wide: key === "email" },
      })),
    [t, table, mapped],
  );
  const choices = COLUMNS.map((value) => ({ value: value as string, label: t(`lists:columns.${value}`) }));

  const leave = () => {
    guard.release();
    onClose();
  };
  const done = ({ created, updated }: { created: number; updated: number }) => {
    leave();
    toast({ title: t("import.done"), text: t("import.counts", { created, updated }) });
  };
  const send = () => {
    if (!loaded) return;
    const contacts = contactsOf(loaded.rows, { left, columns: loaded.columns });
    save.mutate({ contacts, workspaceId: workspace?.id ?? null, match: "email" }, { onSuccess: done });
  };

  return (
    <Dialog
      width="xl"
      title={t("import.title")}
      description={t("import.text")}
      onClose={onClose}
      footer={
        <>
          {first !== undefined && (
            <Button
              variant="ghost"
              className="mr-auto text-bad!"
              onClick={() => {
                setChosen(null);
                setTarget({ index: first, field: problems[first]?.field ?? "firstName" });
              }}
            >
              {t("lists:firstWrong", { number: first + 1 })}
            </Button>
          )}
          <Button onClick={leave}>{t("common:cancel")}</Button>
          <Button
            variant="primary"
            disabled={!loaded || wrong.length > 0 || count === 0}
            loading={save.isPending}
            onClick={send}
          >
            {t("import.send", { count })}
          </Button>
        </>
      }
    >
      <ListSource sample={SAMPLE} max={LIMITS.contactsPerImport} onRead={load} />
      {loaded && (
        <>
          <ColumnChoices
            header={loaded.table.header}
            columns={loaded.columns}
            choicesFor={() => choices}
            onMap={(mapped) => map(mapped as (Column | "")[])}
          />
          <ListState
            text={
              wrong.length > 0
                ? t("lists:wrong", { count: wrong.length })
                : [
                    t("import.ready", { count }),
                    doubtful.length > 0 && t("lists:doubtful", { count: doubtful.length }),
                  ]
                    .filter(Boolean)
                    .join(" · ")
            }
            wrong={wrong.length > 0 ? wrong : doubtful}
            chosen={chosen}
            onChosen={setChosen}
            formulas={loaded.table.formulas}
          />
          <ListTable
            rows={loaded.rows}
            shown={chosen ?? [...loaded.rows.keys()]}
            columns={columns}
            problemOf={(index) => {
              const problem = problems[index];
              return problem && { ...problem, text: t(`validation:${problem.message}`) };
            }}
            left={left}
            target={target}
            includeLabel={(number) => t("import.include", { number })}
            onEdit={edit}
            onToggle={toggle}
          />
        </>
      )}
      <UnsavedChangesDialog guard={guard} />
    </Dialog>
  );
}

/** The fields that the file has for somebody, and the one that each row needs. */
const filledFields = (table: CsvTable, columns: readonly (Column | "")[]): Field[] => {
  const read = rowsOf(table, columns);
  return FIELDS.filter((field) => field === "firstName" || read.some((row) => row[field] !== ""));
};

/** The list of a file as it was corrected; `left` are the rows that are left out. */
function useLoadedList() {
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set());
  const [chosen, setChosen] = useState<readonly number[] | null>(null);
  const load = (table: CsvTable | null) => {
    setLeft(new Set());
    setChosen(null);
    if (!table) return setLoaded(null);
    const columns = mapHeader(table.header, COLUMNS);
    setLoaded({ table, columns, rows: rowsOf(table, columns) });
  };
  const map = (columns: (Column | "")[]) => {
    setChosen(null);
    setLoaded((now) => {
      if (!now) return now;
      const rows = keepTyped(now.rows, rowsOf(now.table, now.columns), rowsOf(now.table, columns));
      return { ...now, columns, rows };
    });
  };
  const edit = useCallback(
    (index: number, field: string, value: string) =>
      setLoaded(
        (now) =>
          now && {
            ...now,
            rows: now.rows.with(index, { ...(now.rows[index] as Row), [field]: value }),
          },
      ),
    [],
  );
  const toggle = useCallback(
    (index: number) =>
      setLeft((now) => {
        const next = new Set(now);
        if (!next.delete(index)) next.add(index);
        return next;
      }),
    [],
  );
  return { loaded, left, chosen, setChosen, load, map, edit, toggle };
}
