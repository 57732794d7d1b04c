import { queryOptions } from "@tanstack/react-query";
import type { BoardRow } from "../../../../worker/contract/envelopes";
import { api, type ListPage, listPage } from "../../../lib/api";
import { pendingReturnsOf } from "../review/pending-returns";
import type { DocumentsOf } from "./bulk-actions";

/** As many as a page of `view=board` has, unless their documents take more than its bytes. */
const PAGE = 100;

/**
 * What can be accepted of these envelopes: the documents and answers, and how many files they have and were not opened.
 * @param only of these documents; by default of all
 */
export const acceptableQuery = (ids: readonly number[], only?: DocumentsOf) =>
  queryOptions({
    queryKey: ["requests", "acceptable", ids, only && [...only.values()]],
    staleTime: 0,
    gcTime: 0,
    queryFn: async () => {
      const rows: BoardRow[] = [];
      for (let from = 0; from < ids.length; from += PAGE) {
        const query = {
          view: "board",
          limit: String(PAGE),
          ids: ids.slice(from, from + PAGE).join(","),
        } as const;
        let cursor: ListPage<BoardRow>["next"];
        do {
          const call = api.requests.$get({ query: { ...query, ...(cursor && { cursor }) } });
          const page = (await listPage(call)) as ListPage<BoardRow>;
          rows.push(...page.rows);
          cursor = page.next;
        } while (cursor);
      }
      return acceptable(rows, only);
    },
  });

/** Without what somebody has chosen to ask for again and not sent yet. */
function acceptable(rows: readonly BoardRow[], only: DocumentsOf | undefined) {
  const answers = rows.map(({ id, documents }) => ({
    id,
    documents: documents.filter(
      (document) =>
        document.toReview &&
        !pendingReturnsOf(id).has(document.id) &&
        (only?.get(id)?.includes(document.id) ?? true),
    ),
  }));
  const all = answers.flatMap(({ documents }) => documents);
  const documentIds: DocumentsOf = new Map(
    answers
      .filter(({ documents }) => documents.length > 0)
      .map(({ id, documents }) => [id, documents.map((document) => document.id)]),
  );
  return {
    documentIds,
    count: all.length,
    files: all.reduce((sum, { files }) => sum + files, 0),
    unopened: all.reduce((sum, { files, opened }) => sum + Math.max(files - opened, 0), 0),
  };
}
