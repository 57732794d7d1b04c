import { useVirtualizer } from "@tanstack/react-virtual";
import { Download, FileUp } from "lucide-react";
import { type ChangeEvent, type ComponentProps, memo, useCallback, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { LIMITS } from "../../../../worker/contract/limits";
import { LANGUAGES } from "../../../../worker/contract/options";
import { Button, buttonClass } from "../../../components/ui/button";
import { Dialog } from "../../../components/ui/dialog";
import { Input } from "../../../components/ui/input";
import { NativeSelect } from "../../../components/ui/native-select";
import { UnsavedChangesDialog, useUnsavedChanges } from "../../../components/ui/unsaved-changes";
import { cx } from "../../../lib/cx";
import { type CsvProblem, type CsvTable, readCsv } from "../../../lib/read-csv";
import { useSelectedWorkspace } from "../../workspaces/workspaces.queries";
import { useImportContacts } from "../contacts.queries";
import {
  COLUMNS,
  type Column,
  columnOf,
  contactsOf,
  FIELDS,
  type Field,
  mapHeader,
  type Problem,
  problemsOf,
  type Row,
  rowsOf,
} from "./import-rows";

const ROW_HEIGHT = 76;
const CELLS = "grid grid-cols-[1.5rem_repeat(7,minmax(0,1fr))] items-center gap-2";
const SAMPLE = `data:text/csv;charset=utf-8,${encodeURIComponent(
  "\ufeffFirst Name,Last Name,Email,Phone,Company,Language,Notes\r\nAda,Lovelace,ada@example.com,+442079460000,Engines Ltd,en,\r\n",
)}`;

type ImportDialogProps = { onClose: () => void };
type Loaded = { table: CsvTable; columns: (Column | "")[]; rows: Row[] };

/** Takes a list from a file: its columns, its rows with their problems, and what becomes of it. */
export default function ImportDialog({ onClose }: ImportDialogProps) {
  const { t } = useTranslation(["contacts", "common", "validation"]);
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  const [failure, setFailure] = useState<CsvProblem | "tooMany" | null>(null);
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set());
  /** The rows that needed a correction when only these were chosen: one that is corrected stays to be read. */
  const [chosen, setChosen] = useState<readonly number[] | null>(null);
  const workspace = useSelectedWorkspace();
  const save = useImportContacts();
  const guard = useUnsavedChanges(loaded !== null);
  const problems = useMemo(() => problemsOf(loaded?.rows ?? [], left), [loaded, left]);
  const wrongRows = problems.flatMap((problem, index) => (problem ? index : []));
  const wrong = wrongRows.length;
  const count = (loaded?.rows.length ?? 0) - left.size;

  const open = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? [];
    target.value = "";
    if (!file) return;
    const table = await readCsv(file, (cell) => columnOf(cell) !== undefined);
    setLoaded(null);
    setLeft(new Set());
    setChosen(null);
    if ("problem" in table) return setFailure(table.problem);
    if (table.rows.length > LIMITS.contactsPerImport) return setFailure("tooMany");
    const columns = mapHeader(table.header);
    setFailure(null);
    setLoaded({ table, columns, rows: rowsOf(table, columns) });
  };
  const map = (index: number, column: Column | "") => {
    setChosen(null);
    setLoaded((now) => {
      if (!now) return now;
      const columns = now.columns.map((known, at) => (at === index ? column : known === column ? "" : known));
      return { ...now, columns, rows: rowsOf(now.table, columns) };
    });
  };
  const edit = useCallback(
    (index: number, field: Field, value: string) =>
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
  const leave = () => {
    guard.release();
    onClose();
  };
  const send = () => {
    if (!loaded) return;
    const contacts = contactsOf(loaded.rows, { left, columns: loaded.columns });
    save.mutate({ contacts, workspaceId: workspace?.id ?? null, match: "email" }, { onSuccess: leave });
  };

  return (
    <Dialog
      open
      width="xl"
      title={t("import.title")}
      description={t("import.text")}
      onClose={onClose}
      footer={
        <>
          <Button onClick={leave}>{t("common:cancel")}</Button>
          <Button
            variant="primary"
            disabled={!loaded || wrong > 0 || count === 0}
            loading={save.isPending}
            onClick={send}
          >
            {t("import.send", { count })}
          </Button>
        </>
      }
    >
      <div className="flex flex-wrap gap-2">
        <label className={buttonClass({ className: "cursor-pointer focus-within:outline-2" })}>
          <FileUp aria-hidden />
          {t("import.choose")}
          <input type="file" accept=".csv,.txt,.tsv,text/csv" className="sr-only" onChange={open} />
        </label>
        <a href={SAMPLE} download="contacts.csv" className={buttonClass({ variant: "ghost" })}>
          <Download aria-hidden />
          {t("import.sample")}
        </a>
      </div>
      <p role="alert" className="mt-3 text-bad empty:hidden">
        {failure && t(`import.problem.${failure}`, { limit: LIMITS.contactsPerImport })}
      </p>
      {loaded && (
        <>
          <ColumnChoices loaded={loaded} onMap={map} />
          <div className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2">
            <p role="status">
              {wrong > 0 ? t("import.wrong", { count: wrong }) : t("import.ready", { count })}
            </p>
            {(wrong > 0 || chosen) && (
              <label className="flex items-center gap-2">
                <input
                  type="checkbox"
                  className="size-4 shrink-0"
                  checked={chosen !== null}
                  onChange={() => setChosen(chosen ? null : wrongRows)}
                />
                {t("import.onlyWrong")}
              </label>
            )}
            {loaded.table.formulas > 0 && (
              <p className="text-ink-soft">{t("import.formulas", { count: loaded.table.formulas })}</p>
            )}
          </div>
          <Rows
            rows={loaded.rows}
            shown={chosen ?? [...loaded.rows.keys()]}
            problems={problems}
            left={left}
            onEdit={edit}
            onToggle={toggle}
          />
        </>
      )}
      <UnsavedChangesDialog guard={guard} />
    </Dialog>
  );
}

type ColumnChoicesProps = { loaded: Loaded; onMap: (index: number, column: Column | "") => void };

function ColumnChoices({ loaded, onMap }: ColumnChoicesProps) {
  const { t } = useTranslation("contacts");
  const options = [
    { value: "", label: t("import.ignore") },
    ...COLUMNS.map((value) => ({ value: value as string, label: t(`import.columns.${value}`) })),
  ];
  const columns = loaded.columns.map((column, index) => {
    const number = index + 1;
    return { number, column, label: loaded.table.header[index] || t("import.unnamed", { number }) };
  });
  return (
    <fieldset className="mt-4">
      <legend className="mb-2 font-semibold">{t("import.mapping")}</legend>
      <div className="grid grid-cols-[repeat(auto-fill,minmax(10rem,1fr))] gap-3">
        {columns.map(({ number, label, column }) => (
          <div key={number} className="min-w-0">
            <span aria-hidden className="mb-1 block truncate text-ink-soft text-xs" title={label}>
              {label}
            </span>
            <NativeSelect
              aria-label={label}
              value={column}
              groups={[{ label: "", options }]}
              onChange={({ target }) => onMap(number - 1, target.value as Column | "")}
            />
          </div>
        ))}
      </div>
    </fieldset>
  );
}

type RowsProps = {
  rows: readonly Row[];
  problems: readonly (Problem | undefined)[];
  left: ReadonlySet<number>;
  /** The indexes of the rows to show. */
  shown: readonly number[];
} & Pick<RowLineProps, "onEdit" | "onToggle">;

/** Only the visible rows are rendered. */
function Rows({ rows, shown, problems, left, ...handlers }: RowsProps) {
  const { t } = useTranslation("contacts");
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: shown.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 4,
  });
  return (
    <div ref={scroller} className="mt-3 max-h-96 overflow-auto rounded-card border border-line">
      <div
        aria-hidden
        className={cx(
          CELLS,
          "sticky top-0 z-10 min-w-[59rem] border-line border-b bg-surface px-3 py-2 font-semibold text-xs",
        )}
      >
        <span />
        {FIELDS.map((field) => (
          <span key={field}>{t(`import.columns.${field}`)}</span>
        ))}
      </div>
      <ul
        aria-label={t("import.rows")}
        className="relative min-w-[59rem]"
        style={{ height: virtualizer.getTotalSize() }}
      >
        {virtualizer.getVirtualItems().map(({ index: at, start }) => {
          const index = shown[at] ?? 0;
          return (
            <li
              key={index}
              aria-setsize={shown.length}
              aria-posinset={at + 1}
              className="absolute inset-x-0 border-line border-b px-3 py-2"
              style={{ height: ROW_HEIGHT, transform: `translateY(${start}px)` }}
            >
              <RowLine
                index={index}
                row={rows[index] as Row}
                problem={problems[index]}
                isLeft={left.has(index)}
                {...handlers}
              />
            </li>
          );
        })}
      </ul>
    </div>
  );
}

type RowLineProps = {
  index: number;
  row: Row;
  problem: Problem | undefined;
  isLeft: boolean;
  onEdit: (index: number, field: Field, value: string) => void;
  onToggle: (index: number) => void;
};

const RowLine = memo(function RowLine({ index, row, problem, isLeft, onEdit, onToggle }: RowLineProps) {
  const { t } = useTranslation(["contacts", "validation"]);
  const number = index + 1;
  return (
    <>
      <div className={CELLS}>
        <label className="flex h-9 cursor-pointer items-center justify-center">
          <input
            type="checkbox"
            className="size-4 shrink-0"
            aria-label={t("import.include", { number })}
            checked={!isLeft}
            onChange={() => onToggle(index)}
          />
        </label>
        {FIELDS.map((field) => {
          const cell = {
            "aria-label": t("import.cell", { number, column: t(`import.columns.${field}`) }),
            "aria-invalid": problem?.field === field,
            disabled: isLeft,
            value: row[field],
            onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLSelectElement>) =>
              onEdit(index, field, target.value),
          };
          if (field !== "language") return <Input key={field} {...cell} />;
          return <LanguageCell key={field} {...cell} />;
        })}
      </div>
      {problem && (
        <p className="sticky left-3 mt-0.5 ml-8 w-fit text-bad text-xs">
          {t(`validation:${problem.message}`)}
        </p>
      )}
    </>
  );
});

/** What the file says is shown until a language is chosen, even if it is none. */
function LanguageCell({ value, ...cell }: ComponentProps<"select"> & { value: string }) {
  const { t } = useTranslation("common");
  const known = LANGUAGES.map((language) => ({
    value: language as string,
    label: t(`languages.${language}`),
  }));
  const isKnown = value === "" || known.some((option) => option.value === value);
  const options = [{ value: "", label: "–" }, ...known, ...(isKnown ? [] : [{ value, label: value }])];
  return <NativeSelect value={value} groups={[{ label: "", options }]} {...cell} />;
}
