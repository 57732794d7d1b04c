import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { EnvelopeRow } from "../../../worker/contract/envelopes";
import { LIMITS } from "../../../worker/contract/limits";
import { api, json } from "../../lib/api";
import { contactName } from "../contacts/contacts.queries";
import { bestFirst } from "./found-texts";

/** How many of each kind are shown: the best of the newest ones. */
const SHOWN = 5;
const READ = "20";

/** What a workspace has with these words: envelopes by subject, recipient or document, contacts, and templates by name. */
export const foundQuery = (workspaceId: number, words: string) =>
  queryOptions({
    // Read again with the lists: each may have changed.
    queryKey: ["requests", "found", workspaceId, words],
    staleTime: 0,
    placeholderData: keepPreviousData,
    queryFn: async () => {
      const list = { workspaceId: String(workspaceId), limit: READ };
      const filter = words.slice(0, LIMITS.filter).trim();
      const [envelopes, contacts, templates] = await Promise.all([
        json(api.requests.$get({ query: { ...list, search: words.slice(0, LIMITS.search), view: "row" } })),
        json(api.contacts.$get({ query: { ...list, filter } })),
        json(api.templates.$get({ query: { ...list, filter } })),
      ]);
      const best = <Row>(rows: readonly Row[], nameOf: (row: Row) => string) =>
        bestFirst(rows, words, nameOf).slice(0, SHOWN);
      return {
        envelopes: best(
          envelopes as EnvelopeRow[],
          ({ subject, recipient }) => `${subject ?? ""} ${recipient ?? ""}`,
        ),
        contacts: best(contacts, contactName),
        moreContacts: contacts.length > SHOWN,
        templates: best(templates, ({ name }) => name),
      };
    },
  });
