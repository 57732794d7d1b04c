import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Language, SignInProvider } from "../../../worker/contract/options";
import { ApiError, api, json, listPage } from "../../lib/api";
import { toasts, useRefresh } from "../../lib/mutation-meta";
import { pagedRows } from "../../lib/read-pages";
import { leaveFor, providerUrl, type User, useClearCurrentUser, userQuery } from "../auth/auth.queries";
import type { PasswordValues, ProfileValues } from "./settings.schema";

/** Updates the cached user with the server's response. */
function useCacheUser() {
  const client = useQueryClient();
  return (user: User) => client.setQueryData(userQuery.queryKey, user);
}

/** As `useCacheUser`, for what colleagues see: reloads the lists that show it, too. */
function useCacheColleague() {
  const cacheUser = useCacheUser();
  const client = useQueryClient();
  return (user: User) => {
    cacheUser(user);
    for (const key of ["members", "activity", "requests"]) void client.invalidateQueries({ queryKey: [key] });
  };
}

/** Saves a setting of the account. */
export const useSavePreference = () =>
  useMutation({
    mutationFn: (preference: Partial<User>) => json(api.user.profile.$patch({ json: preference })),
    onSuccess: useCacheUser(),
    meta: { failure: { title: "common:updateFailed" } },
  });

/** Saves the language, then switches to it. */
export function useSaveLanguage() {
  const cacheUser = useCacheUser();
  const { i18n } = useTranslation();
  return useMutation({
    mutationFn: (languagePreference: Language) =>
      json(api.user.profile.$patch({ json: { languagePreference } })),
    onSuccess: async (user, language) => {
      cacheUser(user);
      await i18n.changeLanguage(language);
    },
    meta: { failure: { title: "common:updateFailed" } },
  });
}

export const useSaveProfile = () =>
  useMutation({
    mutationFn: (profile: ProfileValues) => json(api.user.profile.$patch({ json: profile })),
    onSuccess: useCacheColleague(),
    meta: toasts("profile:account.updated", "profile:account.updateFailed"),
  });

/** Completes onboarding without answers, and so without a body. */
export const useSkipOnboarding = () =>
  useMutation({
    mutationFn: () => json(api.user["complete-onboarding"].$post({ json: {} }, { init: { body: null } })),
    onSuccess: useCacheUser(),
    meta: { failure: { title: "profile:account.onboardingFailed" } },
  });

export const useUploadAvatar = () =>
  useMutation({
    mutationFn: (picture: Blob) => {
      const body = new FormData();
      body.append("avatar", picture, "avatar.jpg");
      return json(api.user.avatar.$post({}, { init: { body } }));
    },
    onSuccess: useCacheColleague(),
    meta: {
      success: { title: "profile:picture.updated" },
      failure: { title: "profile:picture.failed", text: "profile:picture.failedText" },
    },
  });

export const useChangePassword = () =>
  useMutation({
    mutationFn: (change: PasswordValues) => json(api.user["change-password"].$post({ json: change })),
    meta: toasts("profile:password.updated", "profile:password.failed"),
  });

export const useDeleteAccount = () =>
  useMutation({
    mutationFn: () => api.user.account.$delete(),
    onSuccess: useClearCurrentUser(),
    meta: {
      failure: {
        title: "profile:danger.failed",
        text: "profile:danger.failedText",
        except: (error) => error instanceof ApiError && error.code === "last_owner",
      },
    },
  });

const readProviders = () => json(api.user.providers.$get());

export type LinkedProvider = Awaited<ReturnType<typeof readProviders>>[number];

/** The sign-in providers linked to the account, loaded each time the list is shown. */
export const linkedProvidersQuery = queryOptions({
  queryKey: ["linkedProviders"],
  staleTime: 0,
  queryFn: readProviders,
});

/** Begins to link the provider, which leaves the page. */
export const useLinkProvider = () =>
  useMutation({
    mutationFn: (provider: SignInProvider) => providerUrl(`/api/auth/${provider}/link`),
    onSuccess: leaveFor,
    meta: { failure: { title: "profile:providers.linkFailed" } },
  });

export const useUnlinkProvider = (provider: SignInProvider) =>
  useMutation({
    mutationFn: () => api.user.providers[":provider"].$delete({ param: { provider } }),
    onSettled: useRefresh(linkedProvidersQuery),
    meta: toasts("profile:providers.unlinked", "profile:providers.failed"),
  });

const readSessions = () => json(api.user.sessions.$get());

export type Session = Awaited<ReturnType<typeof readSessions>>[number];

/** The account's sessions, loaded each time the list is shown. */
export const sessionsQuery = queryOptions({
  queryKey: ["sessions"],
  staleTime: 0,
  queryFn: readSessions,
});

const readSignIns = (cursor: string | undefined) =>
  listPage(api.user["sign-ins"].$get({ query: { limit: "10", ...(cursor && { cursor }) } }));

export type SignIn = Awaited<ReturnType<typeof readSignIns>>["rows"][number];

export const signInsQuery = infiniteQueryOptions({ queryKey: ["signIns"], ...pagedRows(readSignIns) });

/** Signs out one other device. */
export const useEndSession = () =>
  useMutation({
    mutationFn: (id: string) => api.user.sessions[":id"].$delete({ param: { id } }),
    onSettled: useRefresh(sessionsQuery),
    meta: toasts("profile:sessions.ended", "profile:sessions.failed"),
  });

/** Signs out every device but this one. */
export const useEndOtherSessions = () =>
  useMutation({
    mutationFn: () => api.user.sessions.$delete(),
    onSuccess: useRefresh(sessionsQuery),
    meta: toasts("profile:sessions.othersEnded", "profile:sessions.failed"),
  });
