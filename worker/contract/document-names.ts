/** What is compared of a document's name: neither case nor the Unicode form in which an accent was typed. */
export const documentKey = (name: string): string => name.trim().normalize("NFC").toLowerCase();

/** The document of this name. Older envelopes may have two whose names differ only in case or Unicode form. */
export const sameDocument = <D extends { name: string }>(
  documents: readonly D[],
  name: string,
): D | undefined =>
  documents.find((one) => one.name === name) ??
  documents.find((one) => documentKey(one.name) === documentKey(name));

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
