/** Apart from the rest about questions, because the first view of the recipient's page loads it. */

import { documentKey } from "./document-names";
import type { Answer, QuestionFields } from "./questions";

type Asked = Pick<QuestionFields, "showIf"> & { name: string };

/**
 * The entries that are asked, in the order of the list: those without a condition, and those whose condition is met by
 * the answer to an earlier entry that is asked itself.
 */
export function visibleEntries<Entry extends Asked>(
  entries: readonly Entry[],
  answerTo: (entry: Entry) => Answer | null,
): Set<Entry> {
  const visible = new Set<Entry>();
  const chosen = new Map<string, Answer>();
  for (const entry of entries) {
    const { showIf, name } = entry;
    // Keys of names take long, and often nothing is answered yet.
    const given = showIf && chosen.size > 0 ? (chosen.get(documentKey(showIf.name)) ?? []) : [];
    if (showIf && ![given].flat().some((option) => option !== null && showIf.is.includes(option))) continue;
    visible.add(entry);
    const answer = answerTo(entry);
    if (answer !== null) chosen.set(documentKey(name), answer);
  }
  return visible;
}
