import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { RetentionDays } from "../../../worker/contract/options";
import { api, json } from "../../lib/api";
import { userQuery } from "../auth/auth.queries";
import { selectWorkspace, storedWorkspaceId, useStoredWorkspaceId } from "./selected-workspace";

const readWorkspaces = () => json(api.workspaces.$get());

export type Workspace = Awaited<ReturnType<typeof readWorkspaces>>[number];

export const workspacesQuery = queryOptions({ queryKey: ["workspaces"], queryFn: readWorkspaces });

/**
 * The workspace that was selected in this browser, else in another one, else the first of the list; undefined while the
 * list loads.
 */
export function useSelectedWorkspace(): Workspace | undefined {
  const { data } = useQuery(workspacesQuery);
  const { data: user } = useQuery(userQuery);
  return chooseWorkspace(data, [useStoredWorkspaceId(), user?.lastWorkspaceId]);
}

function chooseWorkspace(
  workspaces: readonly Workspace[] | undefined,
  candidates: readonly (number | null | undefined)[],
): Workspace | undefined {
  const selected = candidates.find((candidate) => workspaces?.some(({ id }) => id === candidate));
  return workspaces?.find(({ id }) => id === selected) ?? workspaces?.[0];
}

/** The workspace that will be selected, before the first page is rendered. */
export async function loadSelectedWorkspace(client: QueryClient): Promise<Workspace | undefined> {
  const [workspaces, user] = await Promise.all([
    client.ensureQueryData(workspacesQuery),
    client.ensureQueryData(userQuery),
  ]);
  return chooseWorkspace(workspaces, [storedWorkspaceId(), user?.lastWorkspaceId]);
}

/** Stores the selected workspace in the account. If that fails, only this browser has it. */
function useRememberWorkspace() {
  return useMutation({
    mutationFn: (id: number) => api.workspaces[":id"].select.$post({ param: { id: String(id) } }),
  }).mutate;
}

const WORKSPACE_LISTS = ["contacts", "templates", "requests"];

/** Selects a workspace and has its contacts, templates and requests loaded again. */
export function useSelectWorkspace() {
  const client = useQueryClient();
  const remember = useRememberWorkspace();
  return (id: number) => {
    // Not refetched at once: what is shown now still belongs to the previous workspace.
    for (const list of WORKSPACE_LISTS)
      void client.invalidateQueries({ queryKey: [list], refetchType: "none" });
    selectWorkspace(id);
    remember(id);
  };
}

/** Selects the workspace of an envelope that was opened by its address. */
export function useWorkspaceOf(envelope: { id: number; workspaceId: number } | undefined): void {
  const select = useSelectWorkspace();
  const { data } = useQuery(workspacesQuery);
  const selected = useSelectedWorkspace()?.id;
  const done = useRef<number>(undefined);
  useEffect(() => {
    if (!envelope || !data || done.current === envelope.id) return;
    done.current = envelope.id;
    if (selected !== envelope.workspaceId && data.some(({ id }) => id === envelope.workspaceId))
      select(envelope.workspaceId);
  }, [envelope, data, selected, select]);
}

/** Creates a workspace and selects it. */
export function useCreateWorkspace() {
  const client = useQueryClient();
  const remember = useRememberWorkspace();
  return useMutation({
    mutationFn: (input: { name: string; description: string }) => json(api.workspaces.$post({ json: input })),
    onSuccess: async (workspace) => {
      selectWorkspace(workspace.id);
      remember(workspace.id);
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

const readRetentionReach = ({ id, days }: { id: number; days: RetentionDays }) =>
  json(api.workspaces[":id"].retention.$get({ param: { id: String(id) }, query: { days: String(days) } }));

export type RetentionReach = Awaited<ReturnType<typeof readRetentionReach>>;

/** Looks up which files a retention would delete. A mutation, because each choice needs the current numbers. */
export function useRetentionReach() {
  return useMutation({ mutationFn: readRetentionReach, meta: { failure: { title: "common:updateFailed" } } });
}

/** Sets how a workspace names the files of archives; null for the default rule. */
export function useSetFileNameRule() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, ...changes }: { id: number; fileNameRule: string | null }) =>
      json(api.workspaces[":id"].$patch({ param: { id: String(id) }, json: changes })),
    onSuccess: () => client.invalidateQueries(workspacesQuery),
    meta: {
      success: { title: "profile:fileNames.saved" },
      failure: { title: "common:updateFailed" },
    },
  });
}
