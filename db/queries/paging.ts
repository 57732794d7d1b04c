import { and, desc, eq, lt, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { ListQuery } from "../../worker/contract/fields";

type ScopedTable = { id: SQLiteColumn; userId: SQLiteColumn; workspaceId: SQLiteColumn };

/** One page of the caller's own rows: newest first, after the cursor. */
export function scopedPage(table: ScopedTable, userId: number, query: ListQuery) {
  const where: SQL | undefined = and(
    eq(table.userId, userId),
    query.workspaceId === undefined ? undefined : eq(table.workspaceId, query.workspaceId),
    query.cursor === undefined ? undefined : lt(table.id, query.cursor),
  );
  return { where, orderBy: desc(table.id), limit: query.limit };
}
