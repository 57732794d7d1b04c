/** The query of a list's first page, which the head script sends too. */
export const firstPageQuery = (workspaceId: number) => ({
  workspaceId: String(workspaceId),
  view: "row" as const,
  limit: "100",
});
