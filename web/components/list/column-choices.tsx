import { useTranslation } from "react-i18next";
import { NativeSelect } from "../ui/native-select";

type ColumnChoicesProps = {
  header: readonly string[];
  /** What each column of the file is; blank if it is left out. */
  columns: readonly string[];
  /** What the column with this header may be. */
  choicesFor: (header: string) => readonly { value: string; label: string }[];
  onMap: (index: number, column: string) => void;
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
              groups={[{ label: "", options: [{ value: "", label: t("ignore") }, ...choicesFor(name)] }]}
              onChange={({ target }) => onMap(number - 1, target.value)}
            />
          </div>
        ))}
      </div>
    </fieldset>
  );
}
