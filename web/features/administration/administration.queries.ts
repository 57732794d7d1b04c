import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import { api, json, listPage } from "../../lib/api";

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
    staleTime: 0,
    placeholderData: keepPreviousData,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) => readAccounts(search, pageParam),
    getNextPageParam: ({ next }) => next,
  });

export const invitationsQuery = queryOptions({
  queryKey: [KEY, "invitations"],
  staleTime: 0,
  queryFn: () => json(root.invitations.$get()),
});

export type Invitation = Awaited<ReturnType<NonNullable<typeof invitationsQuery.queryFn>>>[number];

const readAudit = (cursor: string | undefined) =>
  listPage(root.audit.$get({ query: { limit: "20", ...(cursor && { cursor }) } }));

export type AuditEntry = Awaited<ReturnType<typeof readAudit>>["rows"][number];

export const auditQuery = infiniteQueryOptions({
  queryKey: [KEY, "audit"],
  staleTime: 0,
  initialPageParam: undefined as string | undefined,
  queryFn: ({ pageParam }) => readAudit(pageParam),
  getNextPageParam: ({ next }) => next,
});

/** Reloads everything after an action, including the audit log. */
function useReload() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: [KEY] });
}

const param = (id: number) => ({ param: { id: String(id) } });

export function useDisable() {
  return useMutation({
    mutationFn: (id: number) => json(root.accounts[":id"].disable.$post(param(id))),
    onSettled: useReload(),
    meta: {
      success: { title: "administration:disable.done" },
      failure: { title: "administration:disable.failed" },
    },
  });
}

export function useEnable() {
  return useMutation({
    mutationFn: (id: number) => json(root.accounts[":id"].enable.$post(param(id))),
    onSettled: useReload(),
    meta: {
      success: { title: "administration:enable.done" },
      failure: { title: "administration:enable.failed" },
    },
  });
}

export function useResetPassword() {
  return useMutation({
    mutationFn: (id: number) => root.accounts[":id"]["reset-password"].$post(param(id)),
    onSettled: useReload(),
    meta: {
      success: { title: "administration:resetPassword.done" },
      failure: { title: "administration:resetPassword.failed" },
    },
  });
}

export function useRemoveAccount() {
  return useMutation({
    mutationFn: (id: number) => root.accounts[":id"].$delete(param(id)),
    onSettled: useReload(),
    meta: {
      success: { title: "administration:delete.done" },
      failure: { title: "administration:delete.failed" },
    },
  });
}

export function useSetQuota() {
  return useMutation({
    mutationFn: ({ id, bytes }: { id: number; bytes: number | null }) =>
      json(root.accounts[":id"].quota.$put({ ...param(id), json: { bytes } })),
    onSettled: useReload(),
    meta: {
      success: { title: "administration:quota.done" },
      failure: { title: "administration:quota.failed" },
    },
  });
}

export function useInvite() {
  return useMutation({
    mutationFn: (email: string) => json(root.invitations.$post({ json: { email } })),
    onSettled: useReload(),
    meta: {
      success: { title: "administration:invite.done" },
      failure: { title: "administration:invite.failed" },
    },
  });
}

export function useWithdraw() {
  return useMutation({
    mutationFn: (id: number) => root.invitations[":id"].$delete(param(id)),
    onSettled: useReload(),
    meta: {
      success: { title: "administration:withdraw.done" },
      failure: { title: "administration:withdraw.failed" },
    },
  });
}
