import { and, eq, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { ChangedMeanwhile } from "../../worker/contract/error-body";
import type { Database } from "../client";
import { contacts, envelopes, formerUsers, series, templates, users } from "../schema";
import { isMember, type Member } from "./members";

/** A row that several people change: its `updatedAt` is the version that they have read. */
const TABLES = { contact: contacts, template: templates, envelope: envelopes, series };

export type SharedRow = { kind: keyof typeof TABLES; id: number };

/** The new `updatedAt`: `now`, or a millisecond after the stored one if that is not earlier. */
export const laterThan = (updatedAt: SQLiteColumn, now: string): SQL<string> =>
  sql`case when ${updatedAt} < ${now} then ${now} else strftime('%Y-%m-%dT%H:%M:%fZ', ${updatedAt}, '+0.001 seconds') end`;

/** Whether the row is still as the caller has read it; always true without the time of what was read. */
export const isUnchanged = (updatedAt: SQLiteColumn, read: string | null | undefined): SQL | undefined =>
  read == null ? undefined : eq(updatedAt, read);

/** Who last changed a row of the caller's. Who has no name is shown by address; a recipient has a name only. */
export async function findLastChange(
  db: Database,
  member: Member,
  { kind, id }: SharedRow,
): Promise<ChangedMeanwhile | undefined> {
  const table = TABLES[kind];
  const recipient =
    kind === "envelope"
      ? sql`iif(${envelopes.status} = 'completed', ${envelopes.recipientName}, null)`
      : sql`null`;
  const [row] = await db
    .select({
      firstName: sql<string | null>`case when ${table.updatedBy} is null then ${recipient}
        when ${users.id} is null then ${nameOrEmail(formerUsers)} else ${nameOrEmail(users)} end`,
      lastName: sql<string | null>`iif(${users.id} is null, ${formerUsers.lastName}, ${users.lastName})`,
      updatedAt: table.updatedAt,
    })
    .from(table)
    .leftJoin(users, eq(users.id, table.updatedBy))
    .leftJoin(formerUsers, eq(formerUsers.id, table.updatedBy))
    .where(and(eq(table.id, id), isMember(table.workspaceId, member)));
  if (!row) return undefined;
  const { updatedAt, ...changedBy } = row;
  return { changedBy, updatedAt };
}

/** The first name, or the address of somebody who has neither first nor last name. */
const nameOrEmail = ({ firstName, lastName, email }: typeof users | typeof formerUsers) =>
  sql`iif(nullif(trim(ifnull(${firstName}, '') || ifnull(${lastName}, '')), '') is null, ${email}, ${firstName})`;
