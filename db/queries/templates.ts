import { and, eq, getTableColumns, getTableName, sql } from "drizzle-orm";
import { DOCUMENT_DEFAULTS, type DocumentEntry } from "../../worker/contract/documents";
import { LIMITS } from "../../worker/contract/limits";
import type { Database } from "../client";
import { conflictOf } from "../errors";
import { templates } from "../schema";
import { ownerBelowLimit } from "./account-limits";
import { type KeyClaim, recordKeyedResource } from "./idempotency-keys";
import { jsonRow } from "./json-row";
import { scopedList } from "./paging";
import { ownWorkspace } from "./workspaces";

type TemplateRow = typeof templates.$inferSelect;
export type Template = Omit<TemplateRow, "fields"> & { fields: DocumentEntry[] };
type NewTemplate = Omit<typeof templates.$inferInsert, "id" | "userId">;

const templateRow = jsonRow(getTableColumns(templates));

export const listTemplates = scopedList<Template>(templates, {
  sql: templateRow.sql,
  read: (json) => fromRow(templateRow.read(json)),
});

export async function findTemplate(db: Database, userId: number, id: number): Promise<Template | undefined> {
  const row = await db.query.templates.findFirst({ where: own(userId, id) });
  return row && fromRow(row);
}

/** The id of the caller's template, or NULL if it no longer exists. */
export const ownTemplate = (userId: number, id: number | null) =>
  sql<number>`(select ${templates.id} from ${templates} where ${templates.id} = ${id} and ${templates.userId} = ${userId})`;

export async function insertTemplate(
  db: Database,
  userId: number,
  template: NewTemplate,
  claim?: KeyClaim,
): Promise<Template> {
  const insert = db
    .insert(templates)
    .values({
      ...template,
      userId: ownerBelowLimit(templates, userId, LIMITS.templatesPerAccount),
      workspaceId: ownWorkspace(userId, template.workspaceId),
    })
    .returning();
  const [[row]] = await db.batch([insert, ...recordKeyedResource(db, claim)]);
  if (!row) throw new Error("The template was not inserted");
  return fromRow(row);
}

export async function updateTemplate(
  db: Database,
  userId: number,
  id: number,
  changes: Partial<NewTemplate>,
): Promise<Template | undefined> {
  const [row] = await db.update(templates).set(changes).where(own(userId, id)).returning();
  return row && fromRow(row);
}

function fromRow({ fields, ...template }: TemplateRow): Template {
  return { ...template, fields: fields.map((entry) => ({ ...DOCUMENT_DEFAULTS, ...entry })) };
}

/** @returns whether the template existed. Fails while envelopes use it, see `isTemplateInUse`. */
export async function deleteTemplate(db: Database, userId: number, id: number): Promise<boolean> {
  const rows = await db.delete(templates).where(own(userId, id)).returning({ id: templates.id });
  return rows.length > 0;
}

/** Whether a template was not deleted because envelopes use it: nothing else references templates. */
export function isTemplateInUse(error: unknown): boolean {
  const conflict = conflictOf(error);
  return conflict?.kind === "foreign key" && conflict.table === getTableName(templates);
}

const own = (userId: number, id: number) => and(eq(templates.userId, userId), eq(templates.id, id));
