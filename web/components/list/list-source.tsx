import { ClipboardPaste, Download, FileUp } from "lucide-react";
import { type ChangeEvent, type ReactNode, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { csvSeparator } from "../../../worker/contract/csv-separator";
import type { Language } from "../../../worker/contract/options";
import { columnOf } from "../../lib/list-columns";
import { LIST_ENCODINGS, type ListEncoding } from "../../lib/list-encoding";
import { type CsvProblem, type CsvTable, readCsv } from "../../lib/read-csv";
import { Button, buttonClass } from "../ui/button";
import { Field } from "../ui/field";
import { NativeSelect, Textarea } from "../ui/input";

type ListSourceProps = {
  sample: SampleFile;
  max: number;
  /** Called with what was read; with null if it is no list, which is said here. */
  onRead: (table: CsvTable | null) => void;
  children?: ReactNode;
};

/** A file that shows what a list may have. */
export type SampleFile = { name: string; lines: readonly (readonly string[])[] };

/** The link of a sample file, which a spreadsheet of the language opens in the right encoding and columns. */
function sampleUrl({ lines }: SampleFile, language: Language): string {
  const separator = csvSeparator(language);
  const text = lines.map((cells) => `${cells.join(separator)}\r\n`).join("");
  return `data:text/csv;charset=utf-8,${encodeURIComponent(`\ufeff${text}`)}`;
}

/** Takes a list of people from a file or the clipboard. */
export function ListSource({ sample, max, onRead, children }: ListSourceProps) {
  const { t, i18n } = useTranslation(["lists", "common"]);
  const [failure, setFailure] = useState<CsvProblem | "tooMany" | null>(null);
  const [guessed, setGuessed] = useState<{ file: Blob; encoding: ListEncoding } | null>(null);
  const [pasting, setPasting] = useState(false);
  const panel = useId();
  const pasteButton = useRef<HTMLButtonElement>(null);

  const read = async (file: Blob, chosen?: ListEncoding) => {
    const isKnown = (cell: string) => columnOf(cell) !== undefined;
    const table = await readCsv(file, isKnown, i18n.language as Language, chosen);
    const encoding = "problem" in table ? null : table.encoding;
    setGuessed(encoding && { file, encoding });
    const problem = "problem" in table ? table.problem : table.rows.length > max ? "tooMany" : null;
    setFailure(problem);
    if (problem === null) setPasting(false);
    onRead("problem" in table || problem ? null : table);
    return problem === null;
  };
  const open = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? [];
    target.value = "";
    if (file) void read(file);
  };
  return (
    <>
      <div className="flex flex-wrap gap-2">
        {children}
        <label className={buttonClass({ className: "cursor-pointer focus-within:outline-2" })}>
          <FileUp aria-hidden />
          {t("choose")}
          <input type="file" accept=".csv,.txt,.tsv,text/csv" className="sr-only" onChange={open} />
        </label>
        <Button
          ref={pasteButton}
          aria-expanded={pasting}
          aria-controls={pasting ? panel : undefined}
          onClick={() => setPasting(!pasting)}
        >
          <ClipboardPaste aria-hidden />
          {t("paste")}
        </Button>
        <a
          href={sampleUrl(sample, i18n.language as Language)}
          download={sample.name}
          className={buttonClass({ variant: "ghost" })}
        >
          <Download aria-hidden />
          {t("sample")}
        </a>
      </div>
      {pasting && (
        <Paste
          id={panel}
          onText={async (text) => {
            if (await read(new Blob([text]))) pasteButton.current?.focus();
          }}
        />
      )}
      {guessed && (
        <Field label={t("encoding")} hint={t("encodingHint")} className="mt-3 max-w-xs">
          <NativeSelect
            value={guessed.encoding}
            options={LIST_ENCODINGS.map((encoding) => ({ value: encoding, label: encoding }))}
            onChange={({ target }) => void read(guessed.file, target.value as ListEncoding)}
          />
        </Field>
      )}
      <p role="alert" className="mt-3 text-bad empty:hidden">
        {failure && t(`problem.${failure}`, { limit: max })}
      </p>
    </>
  );
}

/** Where the cells of a spreadsheet are pasted. */
function Paste({ id, onText }: { id: string; onText: (text: string) => void }) {
  const { t } = useTranslation("lists");
  const [text, setText] = useState("");
  return (
    <div id={id} className="mt-3 rounded-card bg-sunken p-3">
      <Field label={t("pasted")} hint={t("pastedHint")}>
        <Textarea
          rows={4}
          autoFocus
          value={text}
          onChange={({ target }) => setText(target.value)}
          onPaste={({ clipboardData }) => text === "" && onText(clipboardData.getData("text/plain"))}
          className="whitespace-pre font-mono text-xs"
        />
      </Field>
      <Button size="sm" className="mt-2" disabled={text.trim() === ""} onClick={() => onText(text)}>
        {t("take")}
      </Button>
    </div>
  );
}

type ColumnChoicesProps = {
  header: readonly string[];
  /** What each column of the file is; blank if it is left out. */
  columns: readonly string[];
  /** What the column with this header may be. */
  choicesFor: (header: string) => readonly { value: string; label: string }[];
  /** Called with the columns; what a column was made is no other any more. */
  onMap: (columns: string[]) => void;
};

/** What each column of a file is. */
export function ColumnChoices({ header, columns, choicesFor, onMap }: ColumnChoicesProps) {
  const { t } = useTranslation("lists");
  const entries = columns.map((column, index) => {
    const number = index + 1;
    const name = header[index] ?? "";
    return { number, column, name, label: name || t("unnamed", { number }) };
  });
  return (
    <fieldset className="mt-4">
      <legend className="mb-2 font-semibold">{t("mapping")}</legend>
      <div className="grid grid-cols-[repeat(auto-fill,minmax(10rem,1fr))] gap-3">
        {entries.map(({ number, name, label, column }) => (
          <div key={number} className="min-w-0">
            <span aria-hidden className="mb-1 block truncate text-ink-soft text-xs" title={label}>
              {label}
            </span>
            <NativeSelect
              aria-label={label}
              value={column}
              options={[{ value: "", label: t("ignore") }, ...choicesFor(name)]}
              onChange={({ target: { value } }) =>
                onMap(columns.map((known, at) => (at === number - 1 ? value : known === value ? "" : known)))
              }
            />
          </div>
        ))}
      </div>
    </fieldset>
  );
}
