/** More words hardly narrow a search, and each costs. */
const MAX_WORDS = 8;

/** The words of what was typed into a search: the first ones, without those that consist of accents only. */
export function searchedWords(typed: string): string[] {
  const words = new Set(typed.split(/[\s\p{Cc}\p{Cf}]+/u).filter((word) => /\P{Mn}/u.test(word)));
  return [...words].slice(0, MAX_WORDS);
}
