import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import type { AuditAction } from "../../../worker/contract/audit-actions";
import { LIMITS } from "../../../worker/contract/limits";
import { api, byId, json, listPage } from "../../lib/api";
import { toasts, useRefresh } from "../../lib/mutation-meta";
import { pagedRows } from "../../lib/read-pages";

const MB = 1024 * 1024;

export const megabytesOf = (bytes: number) => String(Math.round(bytes / MB));

/** The bytes of a storage limit that was typed in megabytes; undefined if it cannot be one. */
export function bytesOfLimit(megabytes: string): number | undefined {
  const bytes = Number(megabytes) * MB;
  return /^\d{1,10}$/.test(megabytes) && bytes <= LIMITS.accountQuota ? bytes : undefined;
}

const KEY = "administration";
const root = api.administration;

/** Loaded each time the page is opened: other administrators may act at the same time. */
export const instanceQuery = queryOptions({
  queryKey: [KEY, "instance"],
  staleTime: 0,
  queryFn: () => json(root.$get()),
});

export type Instance = Awaited<ReturnType<NonNullable<typeof instanceQuery.queryFn>>>;

const readAccounts = (search: string, cursor: string | undefined) =>
  listPage(root.accounts.$get({ query: { ...(search && { search }), ...(cursor && { cursor }) } }));

export type Account = Awaited<ReturnType<typeof readAccounts>>["rows"][number];

/** Accounts by a part of their address or name, a page at a time. */
export const accountsQuery = (search: string) =>
  infiniteQueryOptions({
    queryKey: [KEY, "accounts", search],
    ...pagedRows((cursor) => readAccounts(search, cursor)),
    placeholderData: keepPreviousData,
  });

const readWorkspaces = (cursor: string | undefined) =>
  listPage(root.workspaces.$get({ query: { limit: "20", ...(cursor && { cursor }) } }));

export type WorkspaceUse = Awaited<ReturnType<typeof readWorkspaces>>["rows"][number];

export const workspacesQuery = infiniteQueryOptions({
  queryKey: [KEY, "workspaces"],
  ...pagedRows(readWorkspaces),
});

export const invitationsQuery = infiniteQueryOptions({
  queryKey: [KEY, "invitations"],
  ...pagedRows((cursor) =>
    listPage(root.invitations.$get({ query: { limit: "20", ...(cursor && { cursor }) } })),
  ),
});

/** What the audit log shows; empty is everything. */
export type AuditFilter = { action: AuditAction | ""; person: string; from: string; to: string };

/** The filter's parameters in a URL, without the empty ones. */
const filterQuery = (filter: AuditFilter) =>
  Object.fromEntries(Object.entries(filter).filter(([, value]) => value)) as { action?: AuditAction };

const readAudit = (filter: AuditFilter, cursor: string | undefined) =>
  listPage(root.audit.$get({ query: { limit: "20", ...filterQuery(filter), ...(cursor && { cursor }) } }));

export const auditCsvUrl = (filter: AuditFilter) =>
  `/api/administration/audit.csv?${new URLSearchParams(filterQuery(filter))}`;

export type AuditEntry = Awaited<ReturnType<typeof readAudit>>["rows"][number];

export const auditQuery = (filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: [KEY, "audit", filter],
    ...pagedRows((cursor) => readAudit(filter, cursor)),
    placeholderData: keepPreviousData,
  });

const readFailedMessages = (cursor: string | undefined) =>
  listPage(root.outbox.$get({ query: { status: "failed", ...(cursor && { cursor }) } }));

export type OutboxMessage = Awaited<ReturnType<typeof readFailedMessages>>["rows"][number];

export const failedMessagesQuery = infiniteQueryOptions({
  queryKey: [KEY, "outbox"],
  ...pagedRows(readFailedMessages),
});

/** One account with its second factors, and what deleting it would do. */
export const accountQuery = (id: number) =>
  queryOptions({
    queryKey: [KEY, "account", id],
    staleTime: 0,
    queryFn: () => json(root.accounts[":id"].$get(byId(id))),
  });

type Action =
  | "disable"
  | "enable"
  | "resetPassword"
  | "resetTwoFactor"
  | "delete"
  | "quota"
  | "withdraw"
  | "retry"
  | "retryAll";

/** Reloads everything, including the audit log. */
export const useReload = () => useRefresh(KEY);

/** Performs an action, reports it in a toast, and reloads everything, but for the details of a deleted account. */
function useAction<Input, Result>(action: Action, mutationFn: (input: Input) => Promise<Result>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    onSettled: (_result, error) =>
      client.invalidateQueries({
        queryKey: [KEY],
        predicate: ({ queryKey }) => action !== "delete" || error !== null || queryKey[1] !== "account",
      }),
    meta: toasts(`administration:${action}.done`, `administration:${action}.failed`),
  });
}

export const useDisable = () =>
  useAction("disable", (id: number) => root.accounts[":id"].disable.$post(byId(id)));

export const useEnable = () =>
  useAction("enable", (id: number) => root.accounts[":id"].enable.$post(byId(id)));

export const useResetPassword = () =>
  useAction("resetPassword", (id: number) => root.accounts[":id"]["reset-password"].$post(byId(id)));

export const useResetTwoFactor = () =>
  useAction("resetTwoFactor", (id: number) => root.accounts[":id"]["reset-two-factor"].$post(byId(id)));

export const useRemoveAccount = () =>
  useAction("delete", (id: number) => root.accounts[":id"].$delete(byId(id)));

export const useSetQuota = () =>
  useAction("quota", ({ id, bytes }: { id: number; bytes: number | null }) =>
    root.accounts[":id"].quota.$put({ ...byId(id), json: { bytes } }),
  );

export const useSetWorkspaceQuota = () =>
  useAction("quota", ({ id, bytes }: { id: number; bytes: number | null }) =>
    root.workspaces[":id"].quota.$put({ ...byId(id), json: { bytes } }),
  );

export const inviteAddress = (email: string) => root.invitations.$post({ json: { email } });

export const useSendTestMail = () =>
  useMutation({
    mutationFn: () => json(root["test-mail"].$post()),
    meta: { failure: { title: "administration:testMail.failed" } },
  });

export const useRetry = () => useAction("retry", (id: number) => root.outbox[":id"].retry.$post(byId(id)));

export const useRetryAll = () => useAction("retryAll", () => root.outbox.retry.$post());

export const useWithdraw = () =>
  useAction("withdraw", (id: number) => root.invitations[":id"].$delete(byId(id)));
