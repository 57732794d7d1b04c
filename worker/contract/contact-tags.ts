import { LIMITS } from "./limits";

/** What separates tags in a text, which none of them contains. */
const SEPARATOR = /[,;\u3001\n]/;

/** The tags of a text in which they are separated, each once. */
export const tagsIn = (text: string): string[] => distinctTags(text.split(SEPARATOR));

/** A text that `tagsIn` reads. */
export const tagsText = (tags: readonly string[]): string => tags.join(", ");

/** Without blank ones, and of those that differ in case only the first. */
export function distinctTags(tags: readonly string[]): string[] {
  const known = new Map<string, string>();
  for (const tag of tags.map((each) => each.trim().replace(/\s+/g, " ")))
    if (tag !== "" && !known.has(tag.toLowerCase())) known.set(tag.toLowerCase(), tag);
  return [...known.values()];
}

export const isOneTag = (text: string): boolean => !SEPARATOR.test(text);

/** Whether a contact may have them. */
export const areTags = (tags: readonly string[]): boolean =>
  tags.length <= LIMITS.tagsPerContact && tags.every(({ length }) => length <= LIMITS.tag);
