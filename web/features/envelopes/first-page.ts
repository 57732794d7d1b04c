/** The query of a list's first page, which the head script sends too. */
export const firstPageQuery = (workspaceId: number) => ({
  workspaceId: String(workspaceId),
  limit: "100",
  counts: "1" as const,
});
