import { queryOptions, useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { ListedSeries } from "../../../worker/contract/series";
import { ApiError, api, byId, json } from "../../lib/api";
import { type TextKey, useRefresh } from "../../lib/mutation-meta";

const readSeries = (id: number) => json(api.series[":id"].$get(byId(id)));

/** A request that is sent again and again, with its recipients. */
export type Series = Awaited<ReturnType<typeof readSeries>>;

/** Those of a workspace, or with a contact among their recipients; the next one first. */
export const seriesListQuery = (which: { workspaceId: number } | { contactId: number }) =>
  queryOptions({
    queryKey: ["series", which],
    queryFn: () =>
      json(
        api.series.$get({
          query: Object.fromEntries(Object.entries(which).map(([name, id]) => [name, String(id)])),
        }),
      ),
  });

export const seriesQuery = (id: number) =>
  queryOptions({ queryKey: ["series", id], queryFn: () => readSeries(id) });

type NewSeries = Parameters<typeof api.series.$post>[0]["json"];
type Recipient = NewSeries["recipients"][number];
type Saving = {
  payload: Omit<NewSeries, "recipients">;
  recipients: Recipient[];
  /** The one that is changed, and whom it loses. */
  stored?: { series: Series; removed: readonly number[] } | undefined;
  key: string;
};

async function save({ payload, recipients, stored, key }: Saving): Promise<Series> {
  const headers = { headers: { "Idempotency-Key": key } };
  if (!stored) return json(api.series.$post({ json: { ...payload, recipients } }, headers));
  const { series, removed } = stored;
  const { updatedAt } = series;
  const { workspaceId: _, ...changes } = payload;
  const changed = await json(
    api.series[":id"].$patch({ ...byId(series.id), json: { ...changes, updatedAt } }),
  );
  // Before any is taken out, since the last one stays.
  if (recipients.length > 0)
    await json(api.series[":id"].recipients.$post({ ...byId(series.id), json: { recipients } }, headers));
  for (const id of removed)
    await api.series[":id"].recipients[":recipientId"].$delete({
      param: { id: String(series.id), recipientId: String(id) },
    });
  return changed;
}

const isShownInForm = (error: unknown) => error instanceof ApiError && error.issues.length === 0;

/** Creates or changes a series. The same key creates it once, however often it is tried. */
export const useSaveSeries = () =>
  useMutation({
    mutationFn: save,
    // A workspace says whether it has any.
    onSettled: useRefresh("series", "workspaces"),
    meta: {
      success: { title: "schedules:recurring.saved" },
      failure: { title: "schedules:recurring.saveFailed", except: isShownInForm },
    },
  });

/** What is done with one of them; of the next occurrence, with the day that is shown. */
const ACTIONS = {
  pause: ({ id }: ListedSeries) => json(api.series[":id"].$patch({ ...byId(id), json: { paused: true } })),
  resume: ({ id }: ListedSeries) => json(api.series[":id"].$patch({ ...byId(id), json: { paused: false } })),
  skip: ({ id, nextOn }: ListedSeries) =>
    json(api.series[":id"].skip.$post({ ...byId(id), json: { on: nextOn } })),
  run: ({ id, nextOn }: ListedSeries) =>
    json(api.series[":id"].run.$post({ ...byId(id), json: { on: nextOn } })),
  delete: ({ id }: ListedSeries) => api.series[":id"].$delete(byId(id)),
};
type Action = keyof typeof ACTIONS;

const DONE: Record<Action, TextKey> = {
  pause: "schedules:recurring.paused",
  resume: "schedules:recurring.resumed",
  skip: "schedules:recurring.skipped",
  run: "schedules:recurring.sent",
  delete: "schedules:recurring.deleted",
};

export function useSeriesAction(action: Action) {
  const { t } = useTranslation("schedules");
  const textOfRun = (series: unknown) => {
    const [last] = (series as Series).occurrences;
    return last && last.left > 0 ? t("recurring.last.left", { count: last.left }) : undefined;
  };
  return useMutation<unknown, Error, ListedSeries>({
    mutationFn: ACTIONS[action],
    onSettled: useRefresh("series", "requests"),
    meta: {
      success: { title: DONE[action], ...(action === "run" && { textOf: textOfRun }) },
      failure: { title: "schedules:recurring.failed" },
    },
  });
}
