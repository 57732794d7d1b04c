/** A field of a form and its value, as the form shows them. */
export type ShownField = { label: string; text: string };
export type Difference = { label: string; theirs: string; mine: string };

/** What both have, with different values. */
export function differences(theirs: readonly ShownField[], mine: readonly ShownField[]): Difference[] {
  const texts = new Map(mine.map(({ label, text }) => [label, text.trim()]));
  return theirs.flatMap(({ label, text }) => {
    const [one, other] = [text.trim(), texts.get(label)];
    return other === undefined || other === one ? [] : [{ label, ...excerpts(one, other) }];
  });
}

/** How much is shown of what both texts begin or end with. */
const CONTEXT = 60;

/** Of long texts, the part that differs. */
function excerpts(theirs: string, mine: string): Omit<Difference, "label"> {
  const [one, other] = [[...theirs], [...mine]];
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  const from = start > CONTEXT * 2 ? start - CONTEXT : 0;
  const to = end > CONTEXT * 2 ? end - CONTEXT : 0;
  const cut = (text: readonly string[]) =>
    `${from ? "…" : ""}${text.slice(from, text.length - to).join("")}${to ? "…" : ""}`;
  return { theirs: cut(one), mine: cut(other) };
}
