import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { i18n } from "#translation";
import type { InvitationLink } from "../../../worker/contract/administration";
import type { ProviderUrl } from "../../../worker/contract/auth";
import {
  type ConfirmationMethod,
  type Language,
  PROVIDER_NAMES,
  type SignInProvider,
} from "../../../worker/contract/options";
import { ApiError, api, checkedFetch, json } from "../../lib/api";
import { clearOtherDrafts } from "../../lib/session-draft";
import { askForPasskey, prepareQuestion } from "../../lib/webauthn";

type SessionState = { signedIn: boolean; needsSecondFactor?: true };

declare global {
  interface Window {
    /** Started by the head script; null if the request failed. */
    sessionCheck?: Promise<SessionState | null> | undefined;
  }
}

async function readUser() {
  const session = await window.sessionCheck;
  window.sessionCheck = undefined;
  // A 401 would show as an error in the browser's console.
  if (session?.signedIn === false) return null;
  try {
    const user = await json(api.user.$get());
    clearOtherDrafts(user.id);
    return user;
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}

export type User = NonNullable<Awaited<ReturnType<typeof readUser>>>;

/** The signed-in user, or null. */
export const userQuery = queryOptions({ queryKey: ["user"], queryFn: readUser });

/** The time zone of the signed-in user; null counts as UTC. */
export const useAccountTimeZone = (): string | null => useQuery(userQuery).data?.timeZone ?? null;

/** Where a dialog's input is saved over signing in: an entity's, or that of a new one. */
export function useDraftKey(dialog: string, id: number | undefined): string {
  return `${dialog} ${id ?? "new"} ${useQuery(userQuery).data?.id}`;
}

/** The language of the sign-in page, for an account that is created on it and its mails. */
export const pageLanguage = () => i18n.language as Language;

/** The other services that the operator has configured for signing in. */
export const providersQuery = queryOptions({
  queryKey: ["providers"],
  queryFn: () => json(api.auth.providers.$get()),
});

/** Begins to sign in with a service, which leaves the page, and leads back to `next`. */
export const useProviderSignIn = (next: string | undefined) =>
  useMutation({
    mutationFn: (provider: SignInProvider) =>
      providerUrl(`/api/auth/${provider}`, { next, languagePreference: pageLanguage() }),
    onSuccess: leaveFor,
    meta: { failure: { title: "auth:loginFailed" } },
  });

/** The URL of the service's page, from the call that begins to sign in with it or to link it. */
export async function providerUrl(
  path: string,
  body: { next?: string | undefined; languagePreference?: Language } = {},
): Promise<string> {
  const headers = { "Content-Type": "application/json" };
  const response = await checkedFetch(path, { method: "POST", headers, body: JSON.stringify(body) });
  return ((await response.json()) as ProviderUrl).url;
}

export const leaveFor = (url: string) => location.assign(url);

const readConfirmation = () => json(api.auth.confirmation.$get());

export type ProviderQuestion = Awaited<ReturnType<typeof readConfirmation>>;

/** What to confirm after returning from a service. */
export const providerConfirmationQuery = queryOptions({
  queryKey: ["providerConfirmation"],
  queryFn: readConfirmation,
});

/** Links the service, or ends the session and signs in with the service. The page shows the failure. */
export const useConfirmProvider = () =>
  useMutation({
    mutationFn: (id: string) => json(api.auth.confirmation.$post({ json: { id } })),
    onSuccess: ({ next }) => location.replace(next),
  });

/** Whether somebody is signed in, and who may create an account. */
export const sessionQuery = queryOptions({
  queryKey: ["session"],
  queryFn: () => json(api.session.$get()),
});

/** What people call a service; the OpenID provider's name is the operator's. */
export function useProviderName(): (provider: SignInProvider) => string {
  const { data } = useQuery(sessionQuery);
  return (provider) => (provider === "oidc" && data?.oidcName) || PROVIDER_NAMES[provider];
}

/** The address of an invitation, and to what it invites. Read by POST, so that the token stays out of logs. */
export const invitationQuery = (token: string) =>
  queryOptions({
    queryKey: ["invitation", token],
    queryFn: (): Promise<InvitationLink> => json(api.invitations.read.$post({ json: { token } })),
  });

export type Credentials = { email: string; password: string };

/** Clears the cache and the drafts of the user who has signed out. */
export function useClearCurrentUser() {
  const client = useQueryClient();
  return () => {
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== userQuery.queryKey[0] });
    client.setQueryData(userQuery.queryKey, null);
    clearOtherDrafts(undefined);
  };
}

export const useLogin = () =>
  useMutation({
    mutationFn: (credentials: Credentials) => json(api.login.$post({ json: credentials })),
    meta: { failure: { title: "auth:loginFailed", except: (error) => secondStepOf(error) !== undefined } },
  });

export type SecondStep = { challenge: string; methods: readonly ConfirmationMethod[] };

/** The second step that a sign-in needs; undefined if it has failed. */
export function secondStepOf(error: unknown): SecondStep | undefined {
  if (!(error instanceof ApiError) || error.challenge === undefined) return undefined;
  return { challenge: error.challenge, methods: error.methods };
}

/** The form shows the failure, except that the step has ended. */
export const useSecondFactor = () =>
  useMutation({
    mutationFn: (input: { challenge: string; code?: string; recoveryCode?: string; remember: boolean }) =>
      json(api.login["second-factor"].$post({ json: input })),
    meta: { failure: { title: "auth:loginFailed", except: (error) => !isStepEnded(error) } },
  });

export const isStepEnded = (error: unknown) => error instanceof ApiError && error.code === "challenge_ended";

/** The server accepts a challenge for five minutes. */
const FRESH_MS = 4 * 60 * 1000;

/** What the browser's question for a passkey needs, renewed before the server rejects it. */
export const passkeyOptionsQuery = queryOptions({
  queryKey: ["passkeyOptions"],
  queryFn: () => prepareQuestion(json(api.login.passkey.options.$post())),
  staleTime: FRESH_MS,
  gcTime: 0,
  refetchInterval: FRESH_MS,
  refetchOnWindowFocus: true,
});

export type PasskeyUse = Awaited<ReturnType<typeof askForPasskey>>;

/** Asks for a passkey, unless its use is given, and sends that. The screen shows the failure. */
export function usePasskey<Answer>(send: (used: PasskeyUse) => Promise<Answer>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (used?: PasskeyUse) =>
      send(used ?? (await askForPasskey(await client.fetchQuery(passkeyOptionsQuery)))),
    // The challenge may be used.
    onError: () => void client.invalidateQueries(passkeyOptionsQuery),
  });
}

/** Signs in with a passkey alone. */
export const usePasskeySignIn = () => usePasskey((json) => api.login.passkey.$post({ json }));

/** Finishes the second step with a passkey. */
export const usePasskeyFactor = (challenge: string) =>
  usePasskey((passkey) => api.login["second-factor"].$post({ json: { challenge, passkey } }));

export const useRegister = () =>
  useMutation({
    mutationFn: (credentials: Credentials & { setupToken?: string }) =>
      json(api.register.$post({ json: { ...credentials, languagePreference: pageLanguage() } })),
    meta: { failure: { title: "auth:registrationFailed" } },
  });

export const useAcceptInvitation = () =>
  useMutation({
    mutationFn: (input: { token: string; password: string }) =>
      json(api.invitations.accept.$post({ json: { ...input, languagePreference: pageLanguage() } })),
    meta: { failure: { title: "auth:registrationFailed" } },
  });

export const useLogout = () =>
  useMutation({
    mutationFn: () => api.logout.$post(),
    onSuccess: useClearCurrentUser(),
    meta: { failure: { title: "auth:logoutFailed" } },
  });

export const useForgotPassword = () =>
  useMutation({
    mutationFn: (email: string) => api.password.forgot.$post({ json: { email } }),
    meta: { failure: { title: "auth:forgot.failed" } },
  });

export const useResetPassword = () =>
  useMutation({
    mutationFn: (input: { token: string; newPassword: string; revokeTokens: boolean }) =>
      api.password.reset.$post({ json: input }),
    meta: { failure: { title: "auth:reset.failed" } },
  });

/** Whose mails a link stops, and whether it has. */
export const unsubscriptionQuery = (token: string) =>
  queryOptions({
    queryKey: ["unsubscription", token],
    queryFn: () => json(api.unsubscribe[":token"].$get({ param: { token } })),
  });

/** Stops the mails with true, allows them again with false. */
export function useUnsubscribe(token: string) {
  const client = useQueryClient();
  const link = api.unsubscribe[":token"];
  return useMutation({
    mutationFn: (stop: boolean) =>
      json(stop ? link.$post({ param: { token } }) : link.$delete({ param: { token } })),
    onSuccess: (fresh) => client.setQueryData(unsubscriptionQuery(token).queryKey, fresh),
  });
}

/** What the buttons of mailed links do with the link's token. */
const LINK_ACTIONS = {
  revertEmail: (token: string) => api.user["revert-email"].$post({ json: { token } }),
  releaseEmail: (token: string) => api.user["release-email"].$post({ json: { token } }),
  restoreOwner: (token: string) => api.workspaces["restore-owner"].$post({ json: { token } }),
  signInLink: (token: string) => api.login.link.$post({ json: { token } }),
  verify: (token: string) => api.user.verify.$post({ json: { token } }),
};
export type LinkAction = keyof typeof LINK_ACTIONS;

/** The page shows the failure. */
export const useLinkAction = (action: LinkAction) =>
  useMutation<unknown, Error, string>({ mutationFn: LINK_ACTIONS[action] });

/** Sends the verification mail again. */
export const useResendVerification = () =>
  useMutation({
    mutationFn: () => api.user["resend-verification"].$post(),
    meta: {
      success: { title: "profile:account.resent", text: "profile:account.resentText" },
      failure: { title: "profile:account.resendFailed" },
    },
  });
