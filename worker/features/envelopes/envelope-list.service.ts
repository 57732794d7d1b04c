import {
  type FullEnvelope,
  listEnvelopes,
  listEnvelopeVersions,
  versionOf,
} from "../../../db/queries/envelopes";
import type { Member } from "../../../db/queries/members";
import { indexBeforeSearch, searchExpression } from "../../../db/queries/search";
import type { User } from "../../../db/queries/users";
import { LIMITS } from "../../contract/limits";
import type { Dependencies } from "../../dependencies";
import { causes } from "../../errors";
import type { JsonText } from "../../lib/json-text";
import type { ListedEnvelope } from "../../process-memory";
import { type Beside, contentOf, currentPartsOf, type EnvelopeView, type Viewer } from "./envelope-view";
import { type Period, periodOf } from "./list-etag";

type ListCall = Parameters<typeof listEnvelopes>[2];
type Versions = Awaited<ReturnType<typeof listEnvelopeVersions>>;
type Page = { listed: { envelope: ListedEnvelope; beside: Beside }[] } & Pick<
  Versions,
  "next" | "summary" | "version"
>;
type Deps = Pick<Dependencies, "db" | "memory">;
type Caller = { member: Member; user: User };

/**
 * A page of the caller's envelopes as JSON. Most of a list's time is reading, computing and writing envelopes that have
 * not changed since the process last did so; when a list is called again, only their versions are read.
 */
export async function readEnvelopeList(
  deps: Deps,
  caller: Caller,
  { summarize, ...call }: ListCall,
  viewer: Viewer,
): Promise<
  { body: JsonText<EnvelopeView[]>; isEmpty: boolean; period: Period | null } & Omit<Page, "listed">
> {
  const { lists } = deps.memory;
  const list = `${caller.user.id} ${JSON.stringify(call)}`;
  const read = lists.get(list) ? readChanged : readAll;
  lists.set(list, true);
  const { listed, ...page } = await read(deps, caller, { ...call, ...(summarize && { summarize }) });
  const sources = listed.map(({ envelope }) => envelope.source);
  const currentPart = await currentPartsOf(deps, caller.user, sources, viewer);
  const texts = listed.map(({ envelope: { text, source }, beside }) => {
    const current = JSON.stringify(currentPart(source, beside));
    return `${text},${current.slice(1)}`;
  });
  const dated = listed.map(({ envelope: { source }, beside }) => ({ ...source, ...beside }));
  const period = periodOf(dated, page.summary, viewer.now);
  return { body: `[${texts.join(",")}]`, isEmpty: listed.length === 0, period, ...page };
}

async function readAll({ db, memory }: Deps, { member, user }: Caller, call: ListCall): Promise<Page> {
  const { rows, bytes, ...page } = await listEnvelopes(db, member, call);
  const listed = rows.map((row, index) => ({
    envelope: remember(memory, row, bytes[index]),
    beside: { retentionDays: row.retentionDays, watching: row.watchers.includes(user.id) },
  }));
  return { listed, ...page };
}

function remember({ listed }: Deps["memory"], row: FullEnvelope, bytes = 0): ListedEnvelope {
  const { content, source } = contentOf(row);
  const text = JSON.stringify(content).slice(0, -1);
  const envelope = { version: versionOf(row), bytes, text, source };
  listed.set(row.id, envelope);
  return envelope;
}

/** The same page, as many envelopes as `LIMITS.pageBytes` allows. */
async function readChanged(deps: Deps, { member }: Caller, call: ListCall): Promise<Page> {
  const { rows, bytes: _, ...page } = await listEnvelopeVersions(deps.db, member, call);
  const known = rows.map(({ id, version }) => {
    const envelope = deps.memory.listed.get(id);
    return envelope?.version === version ? envelope : undefined;
  });
  const read = await readUnknown(deps, member, call, { rows, known });
  const listed: Page["listed"] = [];
  let bytes = 0;
  for (const [index, row] of rows.entries()) {
    // Without either, it was deleted meanwhile.
    const envelope = read.envelopes.get(row.id) ?? known[index];
    bytes += envelope?.bytes ?? 0;
    const isFull = row.id < read.end || (bytes > LIMITS.pageBytes && listed.length > 0);
    if (isFull) return { listed, ...page, next: rows[index - 1]?.id ?? null };
    if (envelope) listed.push({ envelope, beside: row });
  }
  return { listed, ...page };
}

/**
 * Reads and remembers the part of the page from the first to the last unknown envelope. @returns also the last id of a
 * part that is cut because it would exceed a page; 0 if it is whole
 */
async function readUnknown(
  { db, memory }: Deps,
  member: Member,
  call: ListCall,
  { rows, known }: Pick<Versions, "rows"> & { known: (ListedEnvelope | undefined)[] },
) {
  const first = rows[known.indexOf(undefined)];
  if (!first) return { envelopes: new Map<number, ListedEnvelope>(), end: 0 };
  const limit = known.lastIndexOf(undefined) - known.indexOf(undefined) + 1;
  const { summarize: _, ...page } = call;
  const read = await listEnvelopes(db, member, { ...page, limit, cursor: first.id + 1 });
  const envelopes = new Map(
    read.rows.map((row, index) => [row.id, remember(memory, row, read.bytes[index])] as const),
  );
  return { envelopes, end: read.rows.length < limit ? (read.next ?? 0) : 0 };
}

/**
 * Indexes what has changed since the last search.
 * @returns the expression to search for; null if nothing is searched for
 */
export async function prepareSearch(
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
