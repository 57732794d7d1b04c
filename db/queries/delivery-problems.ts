import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import type { Database } from "../client";
import { destinations, fileDeliveries, workspaces } from "../schema";
import { isOpenWorkspace } from "./members";
import { hasRows, pageOf, pick } from "./query-helpers";

/** The envelopes of a workspace with a file that could not be delivered, other than one that was deleted before. */
export const failedDeliveries = (workspaceId: unknown): SQL =>
  sql`select failed.envelope_id from ${destinations} as place cross join ${fileDeliveries} as failed on failed.destination_id = place.id
    where place.workspace_id = ${workspaceId} and failed.state = 'failed' and failed.failure is not 'deleted'`;

/** The destinations of a workspace that deliver nothing until somebody does something. */
export const stoppedDestinations = (workspaceId: unknown): SQL =>
  sql`select place.id from ${destinations} as place where place.workspace_id = ${workspaceId} and place.state in ('reconnect', 'full')`;

/** Files of all workspaces that no destination has yet, or that were given up, the latest first, for the operator. */
export const listUndelivered = (db: Database, state: "waiting" | "failed", limit: number) =>
  pageOf(
    db
      .select({
        ...pick(fileDeliveries, "id", "envelopeId", "attempts", "failure", "failureText", "createdAt"),
        destination: pick(destinations, "name", "kind"),
        workspace: workspaces.name,
      })
      .from(fileDeliveries)
      .innerJoin(destinations, eq(destinations.id, fileDeliveries.destinationId))
      .innerJoin(workspaces, eq(workspaces.id, destinations.workspaceId))
      .where(eq(fileDeliveries.state, state))
      .orderBy(desc(fileDeliveries.id)),
    limit,
  );

/** Whether files have been tried since this time without success, or failed for good after the other one. */
export const hasUndelivered = (
  db: Database,
  { triedSince, failedAfter }: { triedSince: string; failedAfter: string },
): Promise<boolean> => {
  const late = sql`late.state = 'waiting' and ${destinations.state} <> 'paused' and max(late.started_at, late.state_at) <= ${triedSince}`;
  const failed = sql`late.state = 'failed' and late.failure is not 'deleted' and late.state_at > ${failedAfter}`;
  const isLate = sql`exists (select 1 from ${fileDeliveries} as late where late.destination_id = ${destinations.id} and (${late} or ${failed}))`;
  return hasRows(
    db
      .select({ id: destinations.id })
      .from(destinations)
      .where(and(isOpenWorkspace(destinations.workspaceId), isLate))
      .limit(1),
  );
};
