import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { ApiError, api, byId, json } from "../../lib/api";
import { type MutationTexts, toasts, useRefresh } from "../../lib/mutation-meta";
import { changeDates, type Envelope } from "./envelopes.queries";

/** How often the timeline is loaded again while a message is queued. */
const POLL_MS = 2000;
/** The server records a download when it begins to send the file. */
const DOWNLOAD_RECORDED_MS = 1500;

const readTimeline = (id: number) => json(api.requests[":id"].timeline.$get(byId(id)));

export type TimelineEntry = Awaited<ReturnType<typeof readTimeline>>[number];
export type Delivery = Extract<TimelineEntry, { kind: "delivery" }>;
export type TimelineEvent = Exclude<TimelineEntry, { kind: "delivery" }>;

const isQueued = (entry: TimelineEntry) =>
  entry.kind === "delivery" && entry.status === "queued" && !entry.error;

/** An envelope's timeline, loaded each time it is opened. */
export const timelineQuery = (id: number) =>
  queryOptions({
    queryKey: ["requests", id, "timeline"],
    staleTime: 0,
    queryFn: () => readTimeline(id),
    refetchInterval: ({ state }) => (state.data?.some(isQueued) ? POLL_MS : false),
  });

/** Refreshes the timeline after a download, which is not an API call. */
export function useRefreshTimelineLater() {
  const client = useQueryClient();
  const read = () =>
    client.invalidateQueries({
      queryKey: ["requests"],
      predicate: ({ queryKey }) => queryKey[2] === "timeline",
    });
  return () => setTimeout(() => void read(), DOWNLOAD_RECORDED_MS);
}

/** Sends a message again, to the envelope's current address. */
export function useSendAgain(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (notificationId: number) =>
      json(
        api.requests[":id"].notifications[":notificationId"].retry.$post({
          param: { id: String(id), notificationId: String(notificationId) },
        }),
      ),
    // Not awaited: the button is removed by the refresh, and its success must be handled before.
    onSuccess: () => void client.invalidateQueries(timelineQuery(id)),
    meta: {
      success: { title: "envelopes:timeline.onItsWay" },
      failure: { title: "envelopes:timeline.againFailed", text: retryTooSoon },
    },
  });
}

/** What is added to a reminder. */
export type RemindInput = { note?: string; documentIds?: readonly number[] | undefined };

const readReminder = (id: number, { note, documentIds = [] }: RemindInput) =>
  json(
    api.requests[":id"].reminder.$get({
      ...byId(id),
      query: { note, ...(documentIds.length > 0 && { documentIds: documentIds.join(",") }) },
    }),
  );

/** The reminder that would be sent now, loaded each time it is shown; the one before stays until then. */
export const reminderQuery = (id: number, input: RemindInput) =>
  queryOptions({
    queryKey: ["requests", id, "reminder", input],
    staleTime: 0,
    gcTime: 0,
    queryFn: () => readReminder(id, input),
    placeholderData: keepPreviousData,
  });

function useReplace<Input>(
  envelope: Envelope,
  changesFor: (input: Input) => Parameters<typeof changeDates>[1],
  meta: MutationTexts,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: Input) => changeDates(envelope, changesFor(input)),
    // Not awaited: the form is removed by the refresh, and its success must be handled before. Also after somebody else's
    // change, which is what the next attempt must start from.
    onSettled: () => void client.invalidateQueries({ queryKey: ["requests"] }),
    meta,
  });
}

/** Sends the scheduled envelope with the id that the mutation is given. */
export const useSendNow = () =>
  useMutation({
    mutationFn: (id: number) => json(api.requests[":id"].send.$post(byId(id))),
    onSettled: useRefresh("requests"),
    meta: {
      success: { title: "schedules:sendNow.done", text: "envelopes:save.sentText" },
      failure: { title: "schedules:sendNow.failed" },
    },
  });

/** Opens the same link again, until the end of the chosen day. */
export const useExtend = (envelope: Envelope) =>
  useReplace(envelope, (expirationDate: string) => ({ expirationDate }), {
    success: { title: "envelopes:extend.done", text: "envelopes:extend.doneText" },
    failure: { title: "envelopes:extend.failed" },
  });

/** Changes by when the recipient is asked to submit; null removes the date with the reminders around it. */
export const useChangeDueDate = (envelope: Envelope) =>
  useReplace(
    envelope,
    (dueDate: string | null) => ({ dueDate, reminderDays: dueDate ? envelope.reminderDays : null }),
    toasts("envelopes:due.done", "envelopes:due.failed"),
  );

function retryTooSoon(error: unknown) {
  const isTooSoon = error instanceof ApiError && error.code === "too_many_messages";
  return isTooSoon ? ("envelopes:timeline.tooSoon" as const) : undefined;
}
