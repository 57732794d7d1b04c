import { useQuery } from "@tanstack/react-query";
import { LIMITS } from "../../../worker/contract/limits";
import { DEFAULT_SORT } from "../../../worker/contract/list-orders";
import { trimmedTo } from "../../lib/use-url-input";
import { userQuery } from "../auth/auth.queries";
import { useTeam } from "./assignee";
import type { ListOf } from "./envelopes.queries";
import type { ListView } from "./list-view";

/** What the server is asked for, for a list in this state in the URL: all that it searches, and its part and order. */
export function useListOf(workspaceId: number, view: ListView) {
  const shared = useTeam(workspaceId) !== undefined;
  const { data: user } = useQuery(userQuery);
  const { tab = "all", sort = DEFAULT_SORT, bulkId, templateId, ids, opened, messages, deliveries } = view;
  const search = trimmedTo(LIMITS.search, view.q);
  const filter = trimmedTo(LIMITS.filter, view.filter);
  const assignee = shared ? (view.mine ? user?.id : view.assignee) : undefined;
  const all = {
    ...{ workspaceId, search, assignee, bulkId, templateId, ids, opened, messages, deliveries },
  } satisfies ListOf;
  const order = sort === DEFAULT_SORT ? undefined : sort;
  return {
    all,
    part: { ...all, filter, tab: tab === "all" ? undefined : tab, sort: order } satisfies ListOf,
  };
}
