import { useTranslation } from "react-i18next";

type ListStateProps = {
  /** How many rows there are, or need a correction. */
  text: string;
  wrong: readonly number[];
  /** The rows that needed one when only these were chosen: one that is corrected stays to be read. */
  chosen: readonly number[] | null;
  onChosen: (rows: readonly number[] | null) => void;
  /** How many cells of the file contain a formula. */
  formulas: number;
};

/** The state of the rows above their table, with the choice to show only those that need a correction. */
export function ListState({ text, wrong, chosen, onChosen, formulas }: ListStateProps) {
  const { t } = useTranslation("lists");
  return (
    <div className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2">
      <p role="status">{text}</p>
      {(wrong.length > 0 || chosen) && (
        <label className="flex items-center gap-2">
          <input
            type="checkbox"
            className="size-4 shrink-0"
            checked={chosen !== null}
            onChange={() => onChosen(chosen ? null : wrong)}
          />
          {t("onlyWrong")}
        </label>
      )}
      {formulas > 0 && <p className="text-ink-soft">{t("formulas", { count: formulas })}</p>}
    </div>
  );
}
