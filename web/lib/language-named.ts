import { LANGUAGES, type Language } from "../../worker/contract/options";

const fold = (text: string) =>
  text
    .normalize("NFKD")
    .replace(/\p{Mn}/gu, "")
    .trim()
    .toLowerCase();

/** The languages by their names in each of them. Made on the first use: not every page reads lists. */
const names = (() => {
  let found: ReadonlyMap<string, Language> | undefined;
  return () => {
    found ??= new Map(
      LANGUAGES.flatMap((reader) => {
        const display = new Intl.DisplayNames([reader], { type: "language" });
        return LANGUAGES.map((language) => [fold(display.of(language) ?? language), language] as const);
      }),
    );
    return found;
  };
})();

/** The language that a list names by its code (`de`, `de-AT`) or in one of the seven languages ("German", "Deutsch"). */
export function languageNamed(text: string): Language | undefined {
  const folded = fold(text);
  return names().get(folded) ?? LANGUAGES.find((code) => code === folded.split(/[-_]/)[0]);
}
