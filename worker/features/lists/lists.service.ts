import type { Database } from "../../../db/client";
import type { Member } from "../../../db/queries/members";
import type { Cursor, NamedList } from "../../../db/queries/paging";
import { DEFAULT_SORT } from "../../contract/list-orders";
import type { NamedListQuery } from "../../contract/lists";
import { validationError } from "../../errors";

/** A cursor in a URL. A plain one is the last row's id: that of calls without the parameters that 0.1.0 did not have. */
type Paged = { cursor?: string | undefined; sort?: string | undefined; isPlain: boolean };

/** @throws AppError `validation` if the cursor is not of a page with this sort */
export function readCursor({ cursor, sort = DEFAULT_SORT, isPlain }: Paged): Cursor | undefined {
  if (cursor === undefined) return undefined;
  const read = isPlain ? { value: null, id: Number(cursor) } : decode(cursor, sort);
  if (read && Number.isSafeInteger(read.id) && read.id > 0) return read;
  const message = "cursor must be from the Link of a page with the same sort";
  throw validationError([{ path: "cursor", message }]);
}

export function writeCursor(next: Cursor | null, { sort = DEFAULT_SORT, isPlain }: Paged): string | null {
  if (next === null) return null;
  return isPlain ? String(next.id) : encode(JSON.stringify([sort, next.value, next.id]));
}

const encode = (text: string) =>
  new TextEncoder().encode(text).toBase64({ alphabet: "base64url", omitPadding: true });

function decode(text: string, sort: string): Cursor | undefined {
  try {
    const bytes = Uint8Array.fromBase64(text, { alphabet: "base64url" });
    const [of, value, id, ...rest] = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    const isValue = value === null || typeof value === "string" || Number.isFinite(value);
    return of === sort && isValue && typeof id === "number" && rest.length === 0 ? { value, id } : undefined;
  } catch {
    return undefined;
  }
}

/** A page of a list that is sorted by name, and the counts if they are asked for. */
export async function readNamedPage<Row>(
  db: Database,
  member: Member,
  { cursor, counts, ...call }: NamedListQuery,
  { list, count }: NamedList<Row>,
) {
  const isPlain = call.sort === undefined && call.filter === undefined;
  const paged = { cursor, sort: call.sort, isPlain };
  const [{ rows, next }, counted] = await Promise.all([
    list(db, member, { ...call, cursor: readCursor(paged) }),
    counts === "1" ? count(db, member, call) : undefined,
  ]);
  return { rows, next: writeCursor(next, paged), counts: counted };
}
