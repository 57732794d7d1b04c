import { ClipboardPaste, Download, FileUp } from "lucide-react";
import { type ChangeEvent, type ReactNode, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { columnOf } from "../../lib/list-columns";
import { type CsvProblem, type CsvTable, readCsv } from "../../lib/read-csv";
import { Button, buttonClass } from "../ui/button";
import { Field } from "../ui/field";
import { Textarea } from "../ui/input";

type ListSourceProps = {
  /** A file to begin with. */
  sample: { href: string; name: string };
  /** The most rows that are taken. */
  max: number;
  /** Called with what was read; with null if it is no list, which is said here. */
  onRead: (table: CsvTable | null) => void;
  /** Other sources. */
  children?: ReactNode;
};

/** The link of a sample file, which a spreadsheet opens in the right encoding. */
export const sampleFile = (name: string, lines: readonly (readonly string[])[]) => ({
  name,
  href: `data:text/csv;charset=utf-8,${encodeURIComponent(`\ufeff${lines.map((cells) => `${cells.join(",")}\r\n`).join("")}`)}`,
});

/** Takes a list of people from a file or the clipboard. */
export function ListSource({ sample, max, onRead, children }: ListSourceProps) {
  const { t } = useTranslation(["lists", "common"]);
  const [failure, setFailure] = useState<CsvProblem | "tooMany" | null>(null);
  const [pasting, setPasting] = useState(false);
  const panel = useId();
  const pasteButton = useRef<HTMLButtonElement>(null);

  const read = async (file: Blob) => {
    const table = await readCsv(file, (cell) => columnOf(cell) !== undefined);
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
        <a href={sample.href} download={sample.name} className={buttonClass({ variant: "ghost" })}>
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
      <p role="alert" className="mt-3 text-bad empty:hidden">
        {failure && t(`problem.${failure}`, { limit: max })}
      </p>
    </>
  );
}

type PasteProps = { id: string; onText: (text: string) => void };

/** Where the cells of a spreadsheet are pasted. */
function Paste({ id, onText }: PasteProps) {
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
          className="whitespace-pre font-mono text-xs"
        />
      </Field>
      <Button size="sm" className="mt-2" disabled={text.trim() === ""} onClick={() => onText(text)}>
        {t("take")}
      </Button>
    </div>
  );
}
