/** What is known of a submitted file beside its name. */
type Kept = { virus: string | null; deletedAt: string | null; scanDueAt: string | null };

/** Why the bytes of a submitted file cannot be had; null where they can. */
export function whyWithheld({ virus, deletedAt, scanDueAt }: Kept) {
  if (virus) return "infected" as const;
  if (deletedAt) return "deleted" as const;
  return scanDueAt ? ("checking" as const) : null;
}
