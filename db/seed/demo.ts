import { UPLOAD_LEASES } from "../../worker/config";
import { DEFAULT_DESCRIPTION, TITLE_PREFIX } from "../../worker/contract/product";
import type { Dependencies } from "../../worker/dependencies";
import { leaseFiles } from "../../worker/features/files/file-lease";
import { DAY_MS } from "../../worker/lib/durations";
import { fileKey, randomUploadId } from "../../worker/lib/file-names";
import { nextReminder } from "../../worker/lib/reminder-times";
import { randomToken } from "../../worker/lib/tokens";
import { insertTemplate, type Template } from "../queries/templates";
import {
  contacts,
  envelopeDocuments,
  envelopeEvents,
  envelopes,
  submissions,
  templateUses,
  users,
  workspaces,
} from "../schema";
import {
  DEMO_CONTACTS,
  DEMO_ENVELOPES,
  DEMO_TEMPLATES,
  DEMO_USER,
  DEMO_WORKSPACES,
  type DemoEnvelope,
} from "./demo-data";
import { samplePdf } from "./sample-pdf";

type Seeding = Pick<Dependencies, "db" | "files" | "clock" | "log" | "passwordHasher">;
type Rows = {
  userId: number;
  workspaceIds: number[];
  contacts: {
    id: number;
    firstName: string;
    lastName: string | null;
    email: string | null;
    phone: string | null;
  }[];
  templates: Template[];
};

/**
 * Creates the demo account with workspaces, contacts, templates and envelopes in every state. Queues no messages,
 * because the recipients are fictional.
 * @returns the ids of the account and its first workspace
 */
export async function seedDemo(deps: Seeding): Promise<{ userId: number; workspaceId: number }> {
  const { db, clock, passwordHasher } = deps;
  const createdAt = daysFrom(clock.now(), -90);
  const password = await passwordHasher.hash(DEMO_USER.password);
  const [user] = await db
    .insert(users)
    .values({
      ...DEMO_USER,
      password,
      onboardingCompleted: true,
      isVerified: true,
      isFirst: false,
      createdAt,
    })
    .returning();
  if (!user) throw new Error("The demo account was not created");
  const owned = { userId: user.id, createdAt, updatedAt: createdAt };
  const spaces = await db
    .insert(workspaces)
    .values(DEMO_WORKSPACES.map((workspace) => ({ ...workspace, ...owned })))
    .returning();
  const workspaceIds = spaces.map(({ id }) => id);
  const workspaceId = workspaceIds[0] ?? 0;
  const contactRows = DEMO_CONTACTS.map((contact) => ({
    ...contact,
    email: addressOf(contact),
    workspaceId,
    ...owned,
  }));
  const rows: Rows = {
    userId: user.id,
    workspaceIds,
    contacts: await db.insert(contacts).values(contactRows).returning(),
    templates: [],
  };
  for (const template of DEMO_TEMPLATES)
    rows.templates.push(await insertTemplate(db, user.id, { ...template, workspaceId, createdAt }));
  await insertEnvelopes(deps, rows);
  return { userId: user.id, workspaceId };
}

/** Under a lease on all files: a server that runs or starts meanwhile would remove files without a row. */
async function insertEnvelopes(deps: Seeding, rows: Rows): Promise<void> {
  const { db, log } = deps;
  const lease = await leaseFiles({ db, log, renewMs: UPLOAD_LEASES.renewMs }, "");
  try {
    // Oldest first, so that the list shows the newest first, as it does for real envelopes.
    for (const envelope of DEMO_ENVELOPES.toSorted((one, other) => other.age - one.age))
      await insertEnvelope(deps, rows, envelope);
  } finally {
    await lease.release();
  }
}

async function insertEnvelope(deps: Seeding, rows: Rows, envelope: DemoEnvelope): Promise<void> {
  const { db, clock } = deps;
  const template = rows.templates[envelope.template];
  if (!template) throw new Error("The demo data references a template that does not exist");
  const [inserted] = await db
    .insert(envelopes)
    .values(envelopeRow(envelope, rows, template.id, clock.now()))
    .returning();
  if (!inserted) throw new Error("The envelope was not created");
  const { id: envelopeId, userId, customerEmail, title, status, createdAt, completedAt } = inserted;
  await insertEvents(db, inserted);
  const documents = await db
    .insert(envelopeDocuments)
    .values(template.fields.map((field, position) => ({ ...field, position, envelopeId })))
    .returning();
  const use = { userId, templateId: template.id, envelopeId, customerEmail, data: { title } };
  await db.insert(templateUses).values({ ...use, status, createdAt });
  if (completedAt)
    for (const document of documents) await insertFile(deps, envelopeId, document, completedAt);
}

function envelopeRow(
  envelope: DemoEnvelope,
  rows: Rows,
  templateId: number,
  now: Date,
): typeof envelopes.$inferInsert {
  const { status, subject, message, reminders, age, ends } = envelope;
  const contact = rows.contacts[envelope.contact];
  const workspaceId = rows.workspaceIds[envelope.workspace];
  if (!contact || !workspaceId) throw new Error("The demo data references a row that does not exist");
  const createdAt = daysFrom(now, -age);
  const completedAt = status === "completed" ? daysFrom(now, -age * 0.6) : null;
  const reminder = status === "pending" ? nextReminder(new Date(createdAt), reminders, now, null) : null;
  const recipientName = `${contact.firstName} ${contact.lastName}`;
  return {
    userId: rows.userId,
    workspaceId,
    contactId: contact.id,
    templateId,
    title: `${TITLE_PREFIX}${recipientName}`,
    description: message ?? DEFAULT_DESCRIPTION,
    subject,
    message,
    status,
    isDraft: status === "draft",
    recipientName,
    recipientPhone: contact.phone,
    customerEmail: contact.email ?? "",
    submissionToken: randomToken(),
    reminderFrequency: reminders,
    nextReminderAt: reminder?.toISOString() ?? null,
    expirationDate: ends === null ? null : daysFrom(now, ends).slice(0, 10),
    createdAt,
    sentAt: status === "draft" ? null : createdAt,
    completedAt,
    updatedAt: completedAt ?? createdAt,
  };
}

/** The envelope's timeline: a recipient who submitted has opened it before. */
async function insertEvents(db: Seeding["db"], envelope: typeof envelopes.$inferSelect): Promise<void> {
  const { id: envelopeId, userId, createdAt, sentAt, completedAt, status, expirationDate } = envelope;
  const ended = status === "expired" && expirationDate ? `${expirationDate}T23:59:59.999Z` : null;
  const moments = [
    { kind: "created", at: createdAt, userId, actor: "requestor" },
    { kind: "sent", at: sentAt, userId, actor: "requestor" },
    { kind: "opened", at: completedAt && halfWay(createdAt, completedAt), userId: null, actor: "recipient" },
    { kind: "submitted", at: completedAt, userId: null, actor: "recipient" },
    { kind: "expired", at: ended, userId: null, actor: "service" },
  ] as const;
  const rows = moments.flatMap(({ at, ...event }) => (at ? [{ envelopeId, ...event, at }] : []));
  await db.insert(envelopeEvents).values(rows);
}

const halfWay = (from: string, to: string) => new Date((Date.parse(from) + Date.parse(to)) / 2).toISOString();

async function insertFile(
  { db, files }: Seeding,
  envelopeId: number,
  document: { id: number; name: string },
  createdAt: string,
): Promise<void> {
  const bytes = new TextEncoder().encode(samplePdf(document.name));
  const filePath = fileKey(randomUploadId(), "pdf");
  const writer = await files.create(filePath);
  await writer.write(bytes);
  await writer.commit();
  await db.insert(submissions).values({
    ...{ envelopeId, requestDocumentId: document.id, documentName: document.name, filePath, createdAt },
    fileName: `${document.name.toLowerCase().replaceAll(" ", "-")}.pdf`,
    fileSize: bytes.length,
    mimeType: "application/pdf",
  });
}

const daysFrom = (now: Date, days: number) => new Date(now.getTime() + days * DAY_MS).toISOString();

const addressOf = ({ firstName, lastName }: { firstName: string; lastName: string }) =>
  `${firstName}.${lastName}@example.com`
    .toLowerCase()
    .normalize("NFD")
    .replace(/[^a-z.@]/g, (letter) => (letter === "ø" ? "o" : ""));
