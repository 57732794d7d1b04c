/** What is compared of a document's name: neither case nor the Unicode form in which an accent was typed. */
export const documentKey = (name: string): string => name.trim().normalize("NFC").toLowerCase();

/**
 * Finds the document of a name. Older envelopes may have two whose names differ only in case or Unicode form, and drafts some
 * without a name. The keys are made once: of names with many accents, that takes long.
 * @param isLeft whether a document may be found, by default all
 */
export function sameDocumentFinder<D extends { name: string }>(
  documents: readonly D[],
  isLeft: (document: D) => boolean = () => true,
) {
  const named = Map.groupBy(documents, ({ name }) => documentKey(name));
  return (name: string): D | undefined => {
    const same = named.get(documentKey(name))?.filter(isLeft) ?? [];
    return same.find((one) => one.name === name) ?? same[0];
  };
}

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
