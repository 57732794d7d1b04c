import { type SQL, sql } from "drizzle-orm";
import { destinations, fileDeliveries } from "../schema";

/** The envelopes of a workspace with a file that could not be delivered. */
export const failedDeliveries = (workspaceId: unknown): SQL =>
  sql`select failed.envelope_id from ${destinations} as place cross join ${fileDeliveries} as failed on failed.destination_id = place.id
    where place.workspace_id = ${workspaceId} and failed.state = 'failed'`;

/** The destinations of a workspace that deliver nothing until somebody does something. */
export const stoppedDestinations = (workspaceId: unknown): SQL =>
  sql`select place.id from ${destinations} as place where place.workspace_id = ${workspaceId} and place.state in ('reconnect', 'full')`;
