import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Database } from "../client";
import { contacts, envelopeEvents, envelopes, templates, users, workspaces } from "../schema";
import { isEarlierRecipient } from "./envelope-events";
import { envelopeParts } from "./envelope-parts";
import { currentAnswers, partsOfTime, plainFiles, requestedDocuments } from "./envelopes";
import { asColumn, jsonRow, jsonRowUnlessNull, scalar } from "./json-row";
import { isMember, type Member } from "./members";
import { listed, pick, type TakeTurn } from "./query-helpers";

const columns = {
  ...pick(envelopes, "id", "recipientName", "customerEmail", "subject", "title", "completedAt"),
  documents: requestedDocuments,
  fileNameRule: workspaces.fileNameRule,
};
const archivedParts = envelopeParts({ answers: currentAnswers, submissions: plainFiles });
const archivedEnvelope = asColumn(jsonRow({ ...columns, parts: archivedParts.json }));
/** Whom the row's envelope went to when it was submitted, as JSON; null if that is who it goes to now. */
const earlierRecipient = (submittedAt: string) =>
  sql`iif(${submittedAt} <= ${envelopes.recipientSince}, (select ${envelopeEvents.detail} from ${envelopeEvents}
    where ${envelopeEvents.envelopeId} = ${envelopes.id} and ${isEarlierRecipient} and ${envelopeEvents.at} >= ${submittedAt}
    order by ${envelopeEvents.id} limit 1), null)`;
/** The only one of the workspace with the e-mail address of that recipient. */
const contactOf = (recipient: SQL) =>
  sql`(select iif(count(*) = 1, max(known.id), null) from contacts as known where known.workspace_id = ${envelopes.workspaceId}
    and lower(known.email) = (select lower(value ->> '$.recipient') from json_each(${recipient}, '$.addresses') where value ->> '$.channel' = 'email'))`;
const deliveredEnvelope = (parts: ReturnType<typeof partsOfTime>, earlier: SQL) =>
  asColumn(
    jsonRow({
      ...columns,
      parts: parts.json,
      earlier: scalar<string>(earlier),
      workspace: workspaces.name,
      template: templates.name,
      contact: jsonRowUnlessNull(contacts.id, { folder: contacts.folder, company: contacts.company }),
      assignee: jsonRow({ timeZone: users.timeZone, language: users.languagePreference }),
    }),
  );

/**
 * An envelope of a destination's workspace, which it may have left, with what was submitted then, and what names the folders
 * of its files.
 */
export async function findEnvelopeForDelivery(
  db: Database,
  workspaceId: number,
  { envelopeId: id, submittedAt }: { envelopeId: number; submittedAt: string },
  takeTurn?: TakeTurn,
) {
  const parts = partsOfTime(submittedAt);
  const earlier = earlierRecipient(submittedAt);
  const rows = await db
    .select({ envelope: deliveredEnvelope(parts, earlier) })
    .from(envelopes)
    .innerJoin(workspaces, eq(workspaces.id, envelopes.workspaceId))
    .innerJoin(users, eq(users.id, envelopes.userId))
    .leftJoin(
      contacts,
      and(
        eq(contacts.workspaceId, envelopes.workspaceId),
        sql`${contacts.id} = iif(${earlier} is null, ${envelopes.contactId}, ${contactOf(earlier)})`,
      ),
    )
    .leftJoin(templates, eq(templates.id, envelopes.templateId))
    .where(and(eq(envelopes.id, id), eq(envelopes.workspaceId, workspaceId)));
  const [found] = await parts.complete(
    db,
    rows.map(({ envelope }) => envelope),
    takeTurn,
  );
  return found;
}
export type DeliveredEnvelope = NonNullable<Awaited<ReturnType<typeof findEnvelopeForDelivery>>>;

export type ArchivedEnvelope = Awaited<ReturnType<typeof listArchivedEnvelopes>>[number];

/** The caller's envelopes among these ids, in the same order, with their files and the rule for file names. */
export async function listArchivedEnvelopes(
  db: Database,
  member: Member,
  ids: readonly number[],
  takeTurn?: TakeTurn,
) {
  const idList = listed(ids);
  const rows = await db
    .select({ envelope: archivedEnvelope })
    .from(envelopes)
    .innerJoin(workspaces, eq(workspaces.id, envelopes.workspaceId))
    .where(and(isMember(envelopes.workspaceId, member), sql`${envelopes.id} in ${idList}`));
  const own = await archivedParts.complete(
    db,
    rows.map(({ envelope }) => envelope),
    takeTurn,
  );
  const found = new Map(own.map((envelope) => [envelope.id, envelope]));
  return ids.flatMap((id) => found.get(id) ?? []);
}
