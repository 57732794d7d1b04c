import { and, eq, getTableColumns, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { DOCUMENT_DEFAULTS, type DocumentEntry } from "../../worker/contract/documents";
import { SERVER_LIMITS } from "../../worker/contract/limits";
import type { AccountQuota } from "../../worker/contract/quotas";
import type { Database } from "../client";
import { violates } from "../errors";
import { envelopes, templates, templateUses, workspaceActivity } from "../schema";
import { isBelowLimit } from "./account-guards";
import { hasAttachments, insertAttachmentUses, releaseAttachments } from "./attachments";
import { isUnchanged, laterThan } from "./changed-meanwhile";
import { onlyWhile } from "./guard";
import { type KeyClaim, recordKeyedResource } from "./idempotency-keys";
import { jsonRow } from "./json-row";
import { templateTextColumns } from "./list-columns";
import { isMember, type Member } from "./members";
import { namedList, parsed } from "./paging";
import { requireWithinQuota } from "./quotas";
import { insertActivities } from "./workspace-activity";
import { ownWorkspace } from "./workspaces";

type TemplateRow = Omit<typeof templates.$inferSelect, "updatedBy" | "nameKey" | "filterText">;
export type Template = Omit<TemplateRow, "fields"> & { fields: DocumentEntry[] };
type TemplateLink = { workspaceId: number; templateId: number | null };
type NewTemplate = Omit<typeof templates.$inferInsert, "id" | "userId" | "updatedBy" | "fields"> & {
  fields: DocumentEntry[];
};

const { updatedBy: _, nameKey: _key, filterText: _text, ...columns } = getTableColumns(templates);
const templateRow = jsonRow(columns);

export const { list: listTemplates, count: countTemplates } = namedList<Template>({
  table: templates,
  row: parsed({ sql: templateRow.sql, read: (json) => fromRow(templateRow.read(json)) }),
  mayBeLong: true,
});

export async function findTemplate(db: Database, member: Member, id: number): Promise<Template | undefined> {
  const [row] = await db.select(columns).from(templates).where(own(member, id));
  return row && fromRow(row);
}

/** The id of the caller's template in the workspace, or NULL if it no longer exists. */
export const ownTemplate = (member: Member, { workspaceId, templateId }: TemplateLink) =>
  sql<number>`(select ${templates.id} from ${templates} where ${templates.id} = ${templateId} and ${templates.workspaceId} = ${workspaceId} and ${isMember(templates.workspaceId, member)})`;

export async function insertTemplate(
  db: Database,
  member: Member,
  template: NewTemplate,
  quotas: AccountQuota,
  claim?: KeyClaim,
): Promise<Template> {
  const insert = db
    .insert(templates)
    .values({
      ...template,
      ...templateTextColumns(template),
      updatedBy: member.userId,
      userId: onlyWhile(
        isBelowLimit(templates, member.userId, SERVER_LIMITS.templatesPerAccount),
        member.userId,
      ),
      workspaceId: ownWorkspace(member, template.workspaceId),
    })
    .returning(columns);
  const { workspaceId } = template;
  const id = sql`(select max(${templates.id}) from ${templates})`;
  const [[row]] = await db.batch([
    insert,
    ...(hasAttachments(template.fields) ? [insertAttachmentUses(db, "template", id, workspaceId)] : []),
    ...recordKeyedResource(db, claim),
    requireWithinQuota(db, quotas, { workspaceId, userId: member.userId }),
  ]);
  if (!row) throw new Error("The template was not inserted");
  return fromRow(row);
}

/** Changes the template, unless it is not the caller's or has changed since `read`. Fails if it is beyond the quota. */
export async function updateTemplate(
  db: Database,
  member: Member,
  { id, read }: { id: number; read: string | null | undefined },
  { now, ...changes }: Partial<NewTemplate> & { name: string; now: string },
  quotas: AccountQuota,
): Promise<Template | undefined> {
  const update = db
    .update(templates)
    .set({
      ...changes,
      ...templateTextColumns(changes),
      updatedAt: laterThan(templates.updatedAt, now),
      updatedBy: member.userId,
    })
    .where(and(own(member, id), isUnchanged(templates.updatedAt, read)))
    .returning(columns);
  const of = (column: SQLiteColumn) => sql`(select ${column} from ${templates} where ${own(member, id)})`;
  const written = { workspaceId: of(templates.workspaceId), userId: of(templates.userId) };
  const [[row]] = await db.batch([
    update,
    ...releaseAttachments(db, "template", of(templates.id), now),
    insertAttachmentUses(db, "template", of(templates.id), written.workspaceId),
    requireWithinQuota(db, quotas, written),
  ]);
  return row && fromRow(row);
}

function fromRow({ fields, ...template }: TemplateRow): Template {
  return { ...template, fields: fields.map((entry) => ({ ...DOCUMENT_DEFAULTS, ...entry })) };
}

// Envelopes of earlier versions may use templates of other workspaces; nobody there could see what keeps the template.
const isUnused = sql`not exists (select 1 from ${templateUses} as used join ${envelopes} as theirs on theirs.id = used.envelope_id
  where used.template_id = ${templates.id} and theirs.workspace_id = ${templates.workspaceId})`;

/**
 * @returns whether the template existed. Fails while envelopes of its workspace use it, see `isTemplateInUse`: before it
 * would be taken from each of them, which may be a hundred thousand.
 */
export async function deleteTemplate(
  db: Database,
  member: Member,
  { id, now }: { id: number; now: string },
): Promise<boolean> {
  const target = onlyWhile(isUnused, sql`json_object('name', ${templates.name})`);
  const found = sql`select ${templates.workspaceId}, ${target} as target, '{}' as detail from ${templates} where ${own(member, id)}`;
  const theirs = sql`(select ${templates.id} from ${templates} where ${own(member, id)})`;
  const [, , , , rows] = await db.batch([
    insertActivities(db, member, { type: "template.deleted", now }, found),
    db.delete(templateUses).where(sql`${templateUses.templateId} = ${theirs}`),
    ...releaseAttachments(db, "template", theirs, now),
    db.delete(templates).where(own(member, id)).returning({ id: templates.id }),
  ]);
  return rows.length > 0;
}

/** Whether a template was not deleted because envelopes use it. */
export const isTemplateInUse = (error: unknown) => violates(error, "not null", workspaceActivity.target);

const own = (member: Member, id: number) =>
  and(eq(templates.id, id), isMember(templates.workspaceId, member));
