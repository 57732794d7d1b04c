import { and, eq, isNotNull, sql } from "drizzle-orm";
import type { Database } from "../client";
import { destinations, envelopes, fileDeliveries } from "../schema";
import { asColumn, jsonRow } from "./json-row";
import { listed, pick } from "./query-helpers";

const deliveryOfFile = asColumn(
  jsonRow({
    ...pick(fileDeliveries, "id", "state", "path", "url", "failure"),
    at: fileDeliveries.stateAt,
    destination: jsonRow(pick(destinations, "id", "name", "kind")),
  }),
);
export type DeliveryOfFile = (typeof deliveryOfFile)["_"]["type"];

/** Deliveries of an envelope's files that one statement reads; where each statement is a call, more. */
const READ = { inTurn: 1000, atOnce: 10_000 };

/** What became of these envelopes' files at the destinations of their workspaces, by the files' ids: up to tens of thousands. */
export async function deliveriesOfFiles(
  db: Database,
  rows: readonly { id: number; hasDestinations: number | null }[],
  takeTurn: (() => Promise<void>) | undefined,
): Promise<ReadonlyMap<number, DeliveryOfFile[]>> {
  const found = new Map<number, DeliveryOfFile[]>();
  const ids = rows.flatMap(({ id, hasDestinations }) => (hasDestinations ? id : []));
  const limit = takeTurn ? READ.inTurn : READ.atOnce;
  for (let last = { envelopeId: 0, id: 0 }; ids.length > 0; ) {
    const page = await db
      .select({
        ...pick(fileDeliveries, "id", "envelopeId"),
        fileId: sql<number>`${fileDeliveries.submissionId}`,
        delivery: deliveryOfFile,
      })
      .from(fileDeliveries)
      .innerJoin(envelopes, eq(envelopes.id, fileDeliveries.envelopeId))
      // Not those of a workspace that the envelope was in before.
      .innerJoin(
        destinations,
        and(
          eq(destinations.id, fileDeliveries.destinationId),
          eq(destinations.workspaceId, envelopes.workspaceId),
        ),
      )
      .where(
        and(
          sql`${fileDeliveries.envelopeId} in ${listed(ids)}`,
          sql`(${fileDeliveries.envelopeId}, ${fileDeliveries.id}) > (${last.envelopeId}, ${last.id})`,
          isNotNull(fileDeliveries.submissionId),
        ),
      )
      .orderBy(fileDeliveries.envelopeId, fileDeliveries.id)
      .limit(limit);
    for (const { fileId, delivery } of page) {
      const others = found.get(fileId);
      if (others) others.push(delivery);
      else found.set(fileId, [delivery]);
    }
    const end = page.at(-1);
    if (!end || page.length < limit) break;
    last = end;
    await takeTurn?.();
  }
  return found;
}
