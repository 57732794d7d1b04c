import { queryOptions } from "@tanstack/react-query";
import { api, json } from "../../lib/api";

const readTemplates = (workspaceId: number) =>
  json(api.templates.$get({ query: { workspaceId: String(workspaceId) } }));

export type Template = Awaited<ReturnType<typeof readTemplates>>[number];

/** The templates of a workspace, newest first. */
export const templatesQuery = (workspaceId: number) =>
  queryOptions({ queryKey: ["templates", { workspaceId }], queryFn: () => readTemplates(workspaceId) });
