import { eq, type Placeholder, type SQL, sql } from "drizzle-orm";
import type { Database, Statement } from "../client";
import { violates } from "../errors";
import { envelopes, fileDeletions, workspaceActivity, workspaces } from "../schema";
import { laterThan } from "./changed-meanwhile";
import { deletionColumns, keyIn } from "./file-deletions";
import { jsonRow } from "./json-row";
import { isMember, type Member } from "./members";
import { pick } from "./query-helpers";

const brandColumns = {
  name: workspaces.brandName,
  color: workspaces.brandColor,
  footer: workspaces.brandFooter,
  ...pick(workspaces, "logoUrl", "logoMimeType", "logoSize", "logoWidth", "logoHeight"),
  ...pick(workspaces, "logoReadableOn", "logoHasName"),
};

export const brandRow = jsonRow(brandColumns);

/** How a workspace looks to recipients. */
export type StoredBrand = ReturnType<typeof brandRow.read>;

export const selectBrand = (db: Database, envelopeId: SQL | Placeholder) =>
  db
    .select(brandColumns)
    .from(envelopes)
    .innerJoin(workspaces, eq(workspaces.id, envelopes.workspaceId))
    .where(eq(envelopes.id, envelopeId));

export const findBrand = (db: Database, member: Member, id: number) =>
  db.select(brandColumns).from(workspaces).where(own(member, id)).get();

const own = (member: Member, id: number) =>
  sql`${workspaces.id} = ${id} and ${isMember(workspaces.id, member)}`;

export type NewLogo = { url: string; mimeType: string; size: number; width: number; height: number };

export function updateLogo(
  db: Database,
  member: Member,
  id: number,
  { logo, now }: { logo: NewLogo | null; now: string },
): Statement {
  return db
    .update(workspaces)
    .set({
      logoUrl: logo?.url ?? null,
      logoMimeType: logo?.mimeType ?? null,
      logoSize: logo?.size ?? null,
      logoWidth: logo?.width ?? null,
      logoHeight: logo?.height ?? null,
      logoReadableOn: null,
      updatedAt: laterThan(workspaces.updatedAt, now),
    })
    .where(own(member, id));
}

/** Whether a logo was rejected because the caller does not own the workspace any more. */
export const isLogoRejected = (error: unknown): boolean =>
  violates(error, "not null", workspaceActivity.workspaceId);

/** Records the logos of these workspaces for deletion, in the batch that replaces them or deletes the workspaces. */
export function insertLogoDeletions(db: Database, which: SQL | undefined, now: string): Statement {
  const logos = db
    .select(deletionColumns(keyIn(workspaces.logoUrl), now))
    .from(workspaces)
    .where(sql`${workspaces.logoUrl} is not null and ${which}`);
  return db.insert(fileDeletions).select(logos).onConflictDoNothing();
}

/** The same for one workspace of the caller. */
export const insertLogoDeletion = (db: Database, member: Member, id: number, now: string): Statement =>
  insertLogoDeletions(db, own(member, id), now);
