/** Letters that Unicode does not decompose, and the signs that are typed as an apostrophe, as searches compare them. */
export const FOLDED_LETTERS: Readonly<Record<string, string>> = {
  ...{ ł: "l", Ł: "l", ø: "o", Ø: "o", đ: "d", Đ: "d", ð: "d", Ð: "d", ħ: "h", Ħ: "h", ı: "i" },
  ...{ þ: "th", Þ: "th", ß: "ss", ẞ: "ss", æ: "ae", Æ: "ae", œ: "oe", Œ: "oe" },
  ...{ "’": "'", "‘": "'", ʼ: "'", ʻ: "'", "`": "'", "´": "'", "′": "'", "＇": "'" },
};

const FOLDED = new RegExp(`[${Object.keys(FOLDED_LETTERS).join("")}]`, "g");

/** The text with these letters replaced. */
export const foldLetters = (text: string): string =>
  text.replace(FOLDED, (letter) => FOLDED_LETTERS[letter] ?? letter);

/** More words hardly narrow a search, and each costs. */
const MAX_WORDS = 8;

/** The words of what was typed into a search: the first ones, without those that consist of accents only. */
export function searchedWords(typed: string): string[] {
  const words = new Set(typed.split(/[\s\p{Cc}\p{Cf}]+/u).filter((word) => /\P{Mn}/u.test(word)));
  return [...words].slice(0, MAX_WORDS);
}
