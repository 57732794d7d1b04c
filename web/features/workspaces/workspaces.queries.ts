import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { RetentionDays } from "../../../worker/contract/options";
import { api, json } from "../../lib/api";
import { selectWorkspace, useStoredWorkspaceId } from "./selected-workspace";

const readWorkspaces = () => json(api.workspaces.$get());

export type Workspace = Awaited<ReturnType<typeof readWorkspaces>>[number];

export const workspacesQuery = queryOptions({ queryKey: ["workspaces"], queryFn: readWorkspaces });

/** The selected workspace, else the first of the list; undefined while the list loads. */
export function useSelectedWorkspace(): Workspace | undefined {
  const { data } = useQuery(workspacesQuery);
  const stored = useStoredWorkspaceId();
  return data?.find(({ id }) => id === stored) ?? data?.[0];
}

const WORKSPACE_LISTS = ["contacts", "templates", "requests"];

/** Selects a workspace and has its contacts, templates and requests loaded again. */
export function useSelectWorkspace() {
  const client = useQueryClient();
  return (id: number) => {
    // Not refetched at once: what is shown now still belongs to the previous workspace.
    for (const list of WORKSPACE_LISTS)
      void client.invalidateQueries({ queryKey: [list], refetchType: "none" });
    selectWorkspace(id);
  };
}

/** Creates a workspace and selects it. */
export function useCreateWorkspace() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: { name: string; description: string }) => json(api.workspaces.$post({ json: input })),
    onSuccess: async (workspace) => {
      selectWorkspace(workspace.id);
      await client.invalidateQueries(workspacesQuery);
    },
    meta: {
      success: { title: "shell:workspace.created", text: "shell:workspace.createdText" },
      failure: { title: "shell:workspace.failed", text: "shell:workspace.failedText" },
    },
  });
}

/** Sets how long a workspace keeps files. This changes the deletion dates of its envelopes too. */
export function useSetRetention() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, ...changes }: { id: number; retentionDays: RetentionDays | null }) =>
      json(api.workspaces[":id"].$patch({ param: { id: String(id) }, json: changes })),
    onSuccess: async () => {
      void client.invalidateQueries({ queryKey: ["requests"] });
      await client.invalidateQueries(workspacesQuery);
    },
    meta: {
      success: { title: "profile:retention.saved" },
      failure: { title: "common:updateFailed" },
    },
  });
}
