/** What is known of a submitted file beside its name. */
type FileState = { virus: string | null; deletedAt: string | null; scanDueAt: string | null };

/** Why the bytes of a submitted file cannot be had; null where they can. */
export function withheldReason({ virus, deletedAt, scanDueAt }: FileState) {
  if (virus) return "infected" as const;
  if (deletedAt) return "deleted" as const;
  return scanDueAt ? ("checking" as const) : null;
}
