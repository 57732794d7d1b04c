/** What is compared of a document's name: neither case nor the Unicode form in which an accent was typed. */
export const documentKey = (name: string): string => name.trim().normalize("NFC").toLowerCase();

/** The indexes of names that an earlier entry already has. Blank names are ignored. */
export function repeatedNames(entries: readonly { name: string }[]): number[] {
  const seen = new Set<string>();
  return entries.flatMap(({ name }, index) => {
    const key = documentKey(name);
    if (key === "") return [];
    if (seen.has(key)) return [index];
    seen.add(key);
    return [];
  });
}
