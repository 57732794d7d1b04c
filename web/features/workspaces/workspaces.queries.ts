import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { RETENTION_DAYS, type RetentionDays } from "../../../worker/contract/options";
import type { WorkspaceInput } from "../../../worker/contract/workspaces";
import { api, byId, json } from "../../lib/api";
import { type TextKey, toasts, useRefresh } from "../../lib/mutation-meta";
import { useShownName } from "../../lib/shown-name";
import { createStore } from "../../lib/store";
import { userQuery } from "../auth/auth.queries";
import { chooseWorkspace, readStoredWorkspace, storeWorkspace } from "./choose-workspace";

const readWorkspaces = () => json(api.workspaces.$get());

export type Workspace = Awaited<ReturnType<typeof readWorkspaces>>[number];

export const workspacesQuery = queryOptions({ queryKey: ["workspaces"], queryFn: readWorkspaces });

/** The workspace selected in this browser. Without storage, the choice lasts as long as the page. */
const selectedId = createStore(readStoredWorkspace());

function storeSelected(id: number): void {
  selectedId.set(id);
  storeWorkspace(id);
}

/**
 * The workspace that was selected in this browser, else in another one, else the first of the list; undefined while the
 * list loads.
 */
export function useSelectedWorkspace(): Workspace | undefined {
  const { data } = useQuery(workspacesQuery);
  const { data: user } = useQuery(userQuery);
  return chooseWorkspace(data, [selectedId.use(), user?.lastWorkspaceId]);
}

/** The workspace that will be selected, before the first page is rendered. */
export async function loadSelectedWorkspace(client: QueryClient): Promise<Workspace | undefined> {
  const [workspaces, user] = await Promise.all([
    client.ensureQueryData(workspacesQuery),
    client.ensureQueryData(userQuery),
  ]);
  return chooseWorkspace(workspaces, [selectedId.get(), user?.lastWorkspaceId]);
}

const WORKSPACE_LISTS = ["contacts", "templates", "requests"];

/** Selects a workspace, also in the account, and has its contacts, templates and requests loaded again. */
function select(client: QueryClient, id: number): void {
  // Not refetched at once: what is shown now still belongs to the previous workspace.
  for (const list of WORKSPACE_LISTS)
    void client.invalidateQueries({ queryKey: [list], refetchType: "none" });
  storeSelected(id);
  // If that fails, only this browser has it.
  api.workspaces[":id"].select.$post(byId(id)).catch(() => undefined);
}

/** Selects the workspace in a URL, if it is one of the account's. */
export async function selectWorkspace(client: QueryClient, id: number): Promise<void> {
  const workspaces = await client.ensureQueryData(workspacesQuery);
  if (workspaces.some((workspace) => workspace.id === id)) select(client, id);
}

export function useSelectWorkspace() {
  const client = useQueryClient();
  return (id: number) => select(client, id);
}

/** The names of workspaces, with the caller's role where several have the same: each account begins with one of that name. */
export function useNamedApart<Named extends Pick<Workspace, "name" | "role">>(
  workspaces: readonly Named[],
): Named[] {
  const { t } = useTranslation("common");
  const shown = useShownName();
  return workspaces.map((workspace) => {
    const { role } = workspace;
    const name = shown(workspace.name);
    const isUnique = workspaces.filter((other) => other.name === workspace.name).length === 1;
    return { ...workspace, name: isUnique ? name : `${name} (${t(`roles.${role}`)})` };
  });
}

/** What the caller may do in a workspace, by default in the selected one. While it loads, everything, as in an own one. */
export function useRole(workspaceId?: number): { isOwner: boolean; mayEdit: boolean } {
  const { data } = useQuery(workspacesQuery);
  const selected = useSelectedWorkspace();
  const workspace = workspaceId === undefined ? selected : data?.find(({ id }) => id === workspaceId);
  const role = workspace?.role ?? "owner";
  return { isOwner: role === "owner", mayEdit: role !== "viewer" };
}

/**
 * Whether to show a dialog that changes something: viewers cannot open one. Whoever becomes a viewer while it is open
 * keeps it, with what was typed.
 */
export function useEditing(open: boolean): boolean {
  const { mayEdit } = useRole();
  const [allowed, setAllowed] = useState(mayEdit);
  if (mayEdit !== allowed && !(open && allowed)) setAllowed(mayEdit);
  return open && allowed;
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

export const useCreateWorkspace = () =>
  useMutation({
    mutationFn: (input: WorkspaceInput) => json(api.workspaces.$post({ json: input })),
    onSuccess: useRefresh(workspacesQuery),
    meta: {
      success: { title: "shell:workspace.created", text: "shell:workspace.createdText" },
      failure: { title: "shell:workspace.failed", text: "shell:workspace.failedText" },
    },
  });

/** After a change of their settings. The dates at which envelopes' files are deleted follow the retention. */
const useReloadWorkspaces = () => useRefresh("workspaces", "activity", "requests");

/** Joins the workspace of an invitation, which the server selects in the account, and selects it in this browser. */
export const useJoinWorkspace = () =>
  useMutation({
    mutationFn: (token: string) => json(api.invitations.join.$post({ json: { token } })),
    onSuccess: ({ id }) => storeSelected(id),
    meta: { failure: { title: "auth:invite.joinFailed" } },
  });

type WorkspaceChanges = Parameters<(typeof api.workspaces)[":id"]["$patch"]>[0]["json"];

/** Changes settings of a workspace, and says that it is done. */
export const useChangeWorkspace = (done: TextKey) =>
  useMutation({
    mutationFn: ({ id, ...changes }: { id: number } & WorkspaceChanges) =>
      json(api.workspaces[":id"].$patch({ ...byId(id), json: changes })),
    onSuccess: useReloadWorkspaces(),
    meta: toasts(done, "common:updateFailed"),
  });

/** How many files a workspace has: what counts them asks for a period, too. */
export const fileCountQuery = (id: number) =>
  queryOptions({
    queryKey: ["files", id],
    queryFn: async () => (await readRetentionImpact({ id, days: RETENTION_DAYS[0] })).allFiles,
    staleTime: 0,
  });

const readRetentionImpact = ({ id, days }: { id: number; days: RetentionDays }) =>
  json(api.workspaces[":id"].retention.$get({ ...byId(id), query: { days: String(days) } }));

export type RetentionImpact = Awaited<ReturnType<typeof readRetentionImpact>>;

/** Looks up which files a retention would delete. A mutation, because each choice needs the current numbers. */
export const useRetentionImpact = () =>
  useMutation({
    mutationFn: readRetentionImpact,
    meta: { failure: { title: "common:updateFailed" } },
  });

const readDeletionNotices = () => json(api.workspaces["deletion-notices"].$get());

export type DeletionNotice = Awaited<ReturnType<typeof readDeletionNotices>>[number];

/** Which workspaces have files that will be deleted soon. */
export const deletionNoticesQuery = queryOptions({
  queryKey: ["workspaces", "deletion-notices"],
  queryFn: readDeletionNotices,
});

/** Records that a notice was shown, which begins the period before its files are deleted. */
export const useShowDeletionNotice = () =>
  useMutation({
    mutationFn: ({ workspaceId, announcedAt }: Pick<DeletionNotice, "workspaceId" | "announcedAt">) =>
      api.workspaces[":id"]["deletion-notice"].$post({
        ...byId(workspaceId),
        json: { announcedAt },
      }),
    onSuccess: useRefresh(deletionNoticesQuery),
  });

export const useChangeLogo = (id: number) =>
  useMutation({
    mutationFn: async (logo: File) => {
      const { measureLogo } = await import("./settings/logo-readability");
      const body = new FormData();
      body.append("logo", logo);
      await json(api.workspaces[":id"].logo.$post(byId(id), { init: { body } }));
      const logoReadableOn = await measureLogo(logo);
      return json(api.workspaces[":id"].$patch({ ...byId(id), json: { logoReadableOn } }));
    },
    onSuccess: useReloadWorkspaces(),
    meta: toasts("workspace:branding.logoSaved", "workspace:branding.logoFailed"),
  });

export const useRemoveLogo = (id: number) =>
  useMutation({
    mutationFn: () => api.workspaces[":id"].logo.$delete(byId(id)),
    onSuccess: useReloadWorkspaces(),
    meta: toasts("workspace:branding.logoRemoved", "workspace:branding.logoFailed"),
  });

/** Deletes a workspace. Another one is selected then. */
export const useDeleteWorkspace = () =>
  useMutation({
    mutationFn: (id: number) => api.workspaces[":id"].$delete(byId(id)),
    onSettled: useRefresh(workspacesQuery),
    meta: toasts("workspace:delete.done", "workspace:delete.failed"),
  });

const readSetAside = () => json(api.user["set-aside"].$get());

export type SetAside = Awaited<ReturnType<typeof readSetAside>>[number];

/** The workspaces that were made before the account's address was proved, and wait for the owner's decision. */
export const setAsideQuery = queryOptions({ queryKey: ["set-aside"], queryFn: readSetAside });

/** The queries that a decision changes. */
const DECIDED = ["user", "workspaces", "set-aside"];

export const useKeepSetAside = () =>
  useMutation({
    mutationFn: (id: number) => json(api.user["set-aside"][":id"].keep.$post(byId(id))),
    onSettled: useRefresh(...DECIDED),
    meta: toasts("envelopes:setAside.kept", "envelopes:setAside.keepFailed"),
  });

export const useDiscardSetAside = () =>
  useMutation({
    mutationFn: (id: number) => api.user["set-aside"][":id"].$delete(byId(id)),
    onSettled: useRefresh(...DECIDED),
    meta: toasts("workspace:delete.done", "workspace:delete.failed"),
  });
