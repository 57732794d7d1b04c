import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { EnvelopeRow } from "../../../worker/contract/envelopes";
import { LIMITS } from "../../../worker/contract/limits";
import { api, json } from "../../lib/api";

/** How many of each kind are shown. */
const SHOWN = "5";

/** What a workspace has with these words: envelopes by subject, recipient or document, contacts, and templates by name. */
export const foundQuery = (workspaceId: number, words: string) =>
  queryOptions({
    // Read again with the lists: each may have changed.
    queryKey: ["requests", "found", workspaceId, words],
    staleTime: 0,
    placeholderData: keepPreviousData,
    queryFn: async () => {
      const list = { workspaceId: String(workspaceId), limit: SHOWN };
      const filter = words.slice(0, LIMITS.filter).trim();
      const [envelopes, contacts, templates] = await Promise.all([
        json(api.requests.$get({ query: { ...list, search: words.slice(0, LIMITS.search), view: "row" } })),
        json(api.contacts.$get({ query: { ...list, filter } })),
        json(api.templates.$get({ query: { ...list, filter } })),
      ]);
      return { envelopes: envelopes as EnvelopeRow[], contacts, templates };
    },
  });
