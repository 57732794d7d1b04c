/** Characters that a pattern would interpret. */
const SPECIAL = /[.*+?^${}()|[\]\\]/g;

/** A text in which the words that were searched for are marked, whatever their case. */
export function Marked({ text, words }: { text: string; words: string }) {
  const wanted = words.trim().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return text;
  const pattern = new RegExp(`(${wanted.map((word) => word.replace(SPECIAL, "\\$&")).join("|")})`, "giu");
  let at = 0;
  // Each second part is what the group has matched.
  return text.split(pattern).map((part, index) => {
    at += part.length;
    if (index % 2 === 0) return part;
    return (
      <mark key={at} className="bg-accent-soft text-inherit">
        {part}
      </mark>
    );
  });
}
