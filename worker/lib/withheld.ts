/** The state of a submitted file. */
type FileState = { virus: string | null; deletedAt: string | null; scanDueAt: string | null };

/** Why a submitted file cannot be downloaded; null if it can. */
export function withheldReason({ virus, deletedAt, scanDueAt }: FileState) {
  if (virus) return "infected" as const;
  if (deletedAt) return "deleted" as const;
  return scanDueAt ? ("checking" as const) : null;
}
