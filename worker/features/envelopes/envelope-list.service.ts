import {
  countEnvelopes,
  type EnvelopeCounts,
  listBoardRows,
  listEnvelopeRows,
  listEnvelopes,
} from "../../../db/queries/envelope-list";
import type { Member } from "../../../db/queries/members";
import { indexBeforeSearch, searchExpression } from "../../../db/queries/search";
import type { User } from "../../../db/queries/users";
import type { BoardRow, EnvelopeListQuery, EnvelopeRow } from "../../contract/envelopes";
import { foldText, textKey } from "../../contract/text-order";
import type { Dependencies } from "../../dependencies";
import { causes } from "../../errors";
import type { JsonText } from "../../lib/json-text";
import { letOthersRunEvery } from "../../lib/turns";
import { readCursor, writeCursor } from "../lists/lists.service";
import { type EnvelopeView, type Viewer, viewEnvelopes } from "./envelope-view";

/** The number of rows of a page with `view=row`, unless the call has a `limit`; with `view=board`, the most. */
const ROWS = 100;

type EnvelopeList = {
  body: JsonText<EnvelopeView[] | EnvelopeRow[] | BoardRow[]>;
  isEmpty: boolean;
  next: string | null;
  counts: EnvelopeCounts | undefined;
};

/** A search reads blocks for so long before others are served: most take a fraction of this. */
const TURN_MS = 2;

/**
 * A page of the caller's envelopes as JSON, and the counts if they are asked for.
 * @throws AppError `validation` for a cursor of another list
 */
export async function readEnvelopeList(
  deps: Dependencies,
  { member, user }: { member: Member; user: User },
  { counts, search = "", assignee, cursor, view, limit, ...query }: EnvelopeListQuery,
  viewer: Viewer,
): Promise<EnvelopeList> {
  const { sort, tab, filter, by, opened, messages, deliveries, templateId, ids } = query;
  const isPlain = [sort, tab, filter, by, opened, messages, deliveries, templateId, ids, view].every(
    (parameter) => parameter === undefined,
  );
  const paged = { cursor, sort, isPlain };
  const call = {
    ...query,
    filter: filter && foldText(filter),
    recipient: filter && by === "recipient" ? textKey(filter) : undefined,
    assigneeId: assignee === "me" ? user.id : assignee,
    cursor: readCursor(paged),
    expression: (await prepareSearch(deps, member, search)) ?? undefined,
    now: viewer.now.toISOString(),
    takeTurn: deps.takeTurn && letOthersRunEvery(TURN_MS, deps.takeTurn),
  };
  const readPage = async () => {
    if (view === "row") return listEnvelopeRows(deps.db, member, { ...call, limit: limit ?? ROWS });
    if (view === "board")
      return listBoardRows(deps.db, member, { ...call, limit: Math.min(limit ?? ROWS, ROWS) });
    const { rows, next } = await listEnvelopes(deps.db, member, { ...call, limit });
    const views = await viewEnvelopes(deps, user, rows, viewer);
    return { rows: views.map((envelope) => JSON.stringify(envelope)), next };
  };
  const countAll = async () => {
    await deps.takeTurn?.();
    return countEnvelopes(deps.db, member, call);
  };
  const [{ rows, next }, counted] = await Promise.all([readPage(), counts === "1" ? countAll() : undefined]);
  const body = `[${rows.join(",")}]`;
  return { body, isEmpty: rows.length === 0, next: writeCursor(next, paged), counts: counted };
}

/**
 * Indexes what has changed since the last search.
 * @returns the expression to search for; null if nothing is searched for
 */
async function prepareSearch(
  { db, log, requireSpace, takeTurn }: Dependencies,
  member: Member,
  typed: string,
): Promise<string | null> {
  const expression = searchExpression(typed);
  if (expression === null) return null;
  try {
    await requireSpace?.(0);
    await indexBeforeSearch(db, member, takeTurn);
  } catch (error) {
    // A search also works while another process holds the write lock, or the disk is full.
    log.warn("search without the latest changes", { error: causes(error) });
  }
  return expression;
}
