import { foldText } from "./text-order";

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

/** How letters are written where a keyboard or an old list lacks them. */
const WRITTEN_OUT: Readonly<Record<string, string>> = { ä: "ae", ö: "oe", ü: "ue", ø: "oe", å: "aa" };
/** In a shorter word, such as "Zoe", the pair is rarely one letter. */
const LEAST_WITH_PAIR = 5;

/** The word, and what else is searched for it: "Müller" also as "Mueller", and "Mueller" as "Muller", which "Müller" is without accents. */
export function spellingsOf(typed: string): string[] {
  const word = typed.normalize("NFC").toLowerCase();
  const writtenOut = word.replace(/[äöüøå]/g, (letter) => WRITTEN_OUT[letter] ?? letter);
  // Not in "Bauer", "neu" or "Quelle".
  const asLetters = word.length < LEAST_WITH_PAIR ? word : word.replace(/([ao]|(?<![aeq])u)e/g, "$1");
  return [...new Set([typed, ...[writtenOut, asLetters].filter((other) => other !== word)])];
}

/** What is searched for each word, of which a text contains one: in texts that are folded with these letters, or without. */
export const foldedWords = (typed: string): string[][] =>
  searchedWords(typed).map((word) => [
    ...new Set(spellingsOf(word).flatMap((spelling) => [foldText(spelling), foldName(spelling)])),
  ]);

/** Without case, accents and these letters: "Sørensen" becomes "sorensen". */
export const foldName = (text: string): string => foldText(foldLetters(text));

/** Whether the text contains each word that was typed. */
export function containsWords(text: string, typed: string): boolean {
  const folded = foldName(text);
  return foldedWords(typed).every((word) => word.some((spelling) => folded.includes(spelling)));
}

/** Beside its name and number, the texts of a contact in which a filter finds words, by the server and in what it has sent. */
export const FILTERED_OF_CONTACT = ["email", "company"] as const;

/** The digits of a phone number as they are stored, however it is typed; undefined if it is none. */
export function typedPhone(typed: string): string | undefined {
  const digits = typed.replace("(0)", "").replace(/\D/g, "").replace(/^0+/, "");
  return /^[\d\s+()./-]+$/.test(typed) && digits.length >= 5 ? digits : undefined;
}
