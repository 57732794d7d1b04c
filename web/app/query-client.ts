import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { i18n } from "#translation";
import { dismissFailure, toast } from "../components/ui/toast-store";
import { loadSelectedWorkspace, workspacesQuery } from "../features/workspaces/workspaces.queries";
import { ApiError, isUnconfirmed } from "../lib/api";
import type { TextKey } from "../lib/mutation-meta";
import { shownName } from "../lib/shown-name";

type Texts = { title: TextKey; text?: TextKey };

/** @param reason why it has failed: the toast's text, or below it */
async function showToast(texts: Texts, failed: boolean, reason?: Promise<string>, said?: string) {
  const { title, text } = texts;
  const keys = text ? [title, text] : [title];
  const loading = [i18n.loadNamespaces(keys.map((key) => key.slice(0, key.indexOf(":")))), reason] as const;
  // Without a connection the words may be missing, and a mutation fails with its toast.
  const [, why] = await Promise.all(loading).catch(() => []);
  const first = said ?? (text && i18n.t(text)) ?? why;
  toast({
    title: i18n.t(title),
    ...(first && { text: first }),
    ...(why && why !== first && { reason: why }),
    destructive: failed,
  });
}

/** The sign-in pages load what it needs when something has failed. */
async function textOf(error: unknown): Promise<string> {
  // Without a connection, nothing can be loaded.
  if (error instanceof ApiError && error.code === "network") return i18n.t("failure.network");
  const { ERROR_NAMESPACES, errorText } = await import("../lib/error-text");
  await i18n.loadNamespaces([...ERROR_NAMESPACES]);
  return errorText(error, i18n.t);
}

/**
 * After a failure that a lost role or membership explains: reloads the workspaces, so that the page follows the role, and
 * says so if the selected one is gone. @returns whether it is
 */
async function reportLostWorkspace(client: QueryClient, error: unknown): Promise<boolean> {
  if (!(error instanceof ApiError) || (error.status !== 404 && error.code !== "role_required")) return false;
  if (!client.getQueryData(workspacesQuery.queryKey)) return false;
  const lost = await loadSelectedWorkspace(client);
  const workspaces = await client.fetchQuery({ ...workspacesQuery, staleTime: 0 }).catch(() => undefined);
  if (!lost || !workspaces || workspaces.some(({ id }) => id === lost.id)) return false;
  const next = await loadSelectedWorkspace(client);
  const workspace = (name = "") => ({ workspace: shownName(name, () => i18n.t("firstWorkspace")) });
  toast({
    title: i18n.t("lostWorkspace.title", workspace(lost.name)),
    text: i18n.t("lostWorkspace.text", workspace(next?.name)),
    destructive: true,
  });
  return true;
}

/** Reads are never stale and never retried, as specified; each mutation's toast is in its `meta`. */
export function createQueryClient(): QueryClient {
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError: (error) => void reportLostWorkspace(client, error) }),
    mutationCache: new MutationCache({
      // A new attempt: toasts about the last one are outdated. Background mutations show none.
      onMutate: (_variables, mutation) => {
        if (mutation.meta) dismissFailure();
      },
      onSuccess: (data, _variables, _context, mutation) =>
        mutation.meta?.success &&
        showToast(mutation.meta.success, false, undefined, mutation.meta.success.textOf?.(data)),
      onError: async (error, _variables, _context, mutation) => {
        if (isUnconfirmed(error) || (await reportLostWorkspace(client, error))) return;
        const failure = mutation.meta?.failure;
        if (!failure || failure.except?.(error)) return;
        const text = typeof failure.text === "function" ? failure.text(error) : failure.text;
        // A function reads what the server says.
        const isRead = text && text !== failure.text && error instanceof ApiError && error.hasMessage;
        return showToast(
          { title: failure.title, ...(text && { text }) },
          true,
          isRead ? undefined : textOf(error),
        );
      },
    }),
    defaultOptions: {
      queries: {
        retry: false,
        staleTime: Number.POSITIVE_INFINITY,
        refetchOnWindowFocus: false,
        refetchInterval: false,
        networkMode: "always",
      },
      mutations: { retry: false, networkMode: "always" },
    },
  });
  return client;
}
