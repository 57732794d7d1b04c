import { containsWords, foldedWords, foldName, searchedWords } from "../../../worker/contract/searched-words";

/** What separates the words of a name. */
const BETWEEN_WORDS = /[\s\-/().,&]+/;

/** The rows in their order, but first those whose name has words that begin with those that were typed, as they were typed. */
export function bestFirst<Row>(rows: readonly Row[], typed: string, nameOf: (row: Row) => string): Row[] {
  const words = searchedWords(typed).map(foldName);
  const rankOf = (row: Row) => {
    const name = foldName(nameOf(row));
    const parts = name.split(BETWEEN_WORDS);
    if (words.every((word) => parts.some((part) => part.startsWith(word)))) return 0;
    if (words.every((word) => name.includes(word))) return 1;
    return containsWords(name, typed) ? 2 : 3;
  };
  return rows
    .map((row) => ({ row, rank: rankOf(row) }))
    .sort((one, other) => one.rank - other.rank)
    .map(({ row }) => row);
}

/** The text in parts, of which each second one is what a search has found, in whatever spelling. */
export function foundParts(text: string, typed: string): string[] {
  const letters = [...text.normalize("NFC")];
  const folded = letters.map(foldName);
  const all = folded.join("");
  const letterAt = folded.flatMap((part, letter) => Array<number>(part.length).fill(letter));
  const isFound = letters.map(() => false);
  for (const spelling of foldedWords(typed).flat().filter(Boolean))
    for (let at = all.indexOf(spelling); at >= 0; at = all.indexOf(spelling, at + 1))
      isFound.fill(true, letterAt[at], (letterAt[at + spelling.length - 1] ?? 0) + 1);
  const parts = [""];
  letters.forEach((letter, index) => {
    if (isFound[index] !== (parts.length % 2 === 0)) parts.push("");
    parts.push(`${parts.pop()}${letter}`);
  });
  return parts;
}
