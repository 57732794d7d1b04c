import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { NameSort } from "../../../worker/contract/list-orders";
import { ApiError, api, byId, isChangedMeanwhile, json, listPage } from "../../lib/api";
import { defaultFailureText } from "../../lib/error-text";
import { useRefresh } from "../../lib/mutation-meta";
import { pagedList } from "../../lib/read-pages";

/** What the server lists: the templates of a workspace, or those that a filter finds. */
type TemplateList = { workspaceId: number | undefined; sort?: NameSort; filter?: string | undefined };

const readPage = ({ workspaceId, sort, filter }: TemplateList, cursor: string | undefined) =>
  listPage(
    api.templates.$get({
      query: {
        ...{ workspaceId: String(workspaceId), sort, limit: "100" },
        ...(filter && { filter }),
        ...(cursor && { cursor }),
      },
    }),
  );

export type Template = Awaited<ReturnType<typeof readPage>>["rows"][number];

/** Newest first, unless they are sorted. */
export const templatesQuery = ({ sort = "-created", ...found }: TemplateList) => {
  const list = { ...found, sort };
  return infiniteQueryOptions({
    queryKey: ["templates", list] as const,
    enabled: list.workspaceId !== undefined,
    ...pagedList((cursor) => readPage(list, cursor)),
    // The rows before stay, but not those of another workspace.
    placeholderData: (rows, query) =>
      query?.queryKey[1].workspaceId === list.workspaceId ? rows : undefined,
  });
};

/** One template, for a dialog that was opened by its URL; nothing without an id. */
export const templateQuery = (id: number | null) =>
  queryOptions({
    queryKey: ["templates", id],
    enabled: id !== null,
    queryFn: () => json(api.templates[":id"].$get(byId(id ?? 0))),
  });

type TemplatePayload = Parameters<typeof api.templates.$post>[0]["json"] & { updatedAt: string | null };

/** Creates a template, or replaces the one with this id. */
export function useSaveTemplate(id: number | undefined) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (payload: TemplatePayload) =>
      id === undefined
        ? json(api.templates.$post({ json: payload }))
        : json(api.templates[":id"].$put({ ...byId(id), json: payload })),
    onSettled: (_saved, error) =>
      !error || isChangedMeanwhile(error) ? client.invalidateQueries({ queryKey: ["templates"] }) : undefined,
    meta: {
      success: { title: id === undefined ? "templates:save.created" : "templates:save.updated" },
      failure: {
        title: id === undefined ? "templates:save.createFailed" : "templates:save.updateFailed",
        text: defaultFailureText("templates:save.failedText"),
        except: isChangedMeanwhile,
      },
    },
  });
}

/** The server rejects the deletion of a template in use, and names the foreign key constraint. */
function deleteFailureText(error: unknown) {
  const inUse = error instanceof ApiError && /foreign.key constraint/i.test(error.message);
  return inUse ? ("templates:delete.inUse" as const) : ("templates:delete.failedText" as const);
}

export const useDeleteTemplate = () =>
  useMutation({
    mutationFn: (id: number) => api.templates[":id"].$delete(byId(id)),
    onSuccess: useRefresh({ queryKey: ["templates"] }),
    meta: {
      success: { title: "templates:delete.done" },
      failure: { title: "templates:delete.failed", text: deleteFailureText },
    },
  });
