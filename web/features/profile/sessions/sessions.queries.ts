import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, json } from "../../../lib/api";

const readSessions = () => json(api.user.sessions.$get());

export type Session = Awaited<ReturnType<typeof readSessions>>[number];

/** The account's sessions, loaded each time the list is shown. */
export const sessionsQuery = queryOptions({
  queryKey: ["sessions"],
  staleTime: 0,
  queryFn: readSessions,
});

/** Signs out one other device. */
export function useEndSession() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api.user.sessions[":id"].$delete({ param: { id } }),
    onSettled: () => client.invalidateQueries(sessionsQuery),
    meta: {
      success: { title: "profile:sessions.ended" },
      failure: { title: "profile:sessions.failed" },
    },
  });
}

/** Signs out every device but this one. */
export function useEndOtherSessions() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api.user.sessions.$delete(),
    onSuccess: () => client.invalidateQueries(sessionsQuery),
    meta: {
      success: { title: "profile:sessions.othersEnded" },
      failure: { title: "profile:sessions.failed" },
    },
  });
}
