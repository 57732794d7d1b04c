import { runBatch } from "../../../db/client";
import { type Contact, insertContact } from "../../../db/queries/contacts";
import {
  insertSeedEnvelope,
  insertSeedFile,
  type SeedEnvelope,
  type SeedEvent,
} from "../../../db/queries/seed";
import { insertTemplate, type Template } from "../../../db/queries/templates";
import { findUserByEmail, insertUser } from "../../../db/queries/users";
import { insertWorkspace } from "../../../db/queries/workspaces";
import { DEFAULT_DESCRIPTION, TITLE_PREFIX } from "../../contract/product";
import type { Dependencies } from "../../dependencies";
import { nextReminder } from "../../features/envelope-rules/reminder-times";
import { textBytesOf } from "../../features/envelopes/envelope-fields";
import { leaseAllFiles } from "../../features/files/upload-lease";
import { DAY_MS } from "../../lib/durations";
import { fileKey, randomUploadId } from "../../lib/file-names";
import { randomToken } from "../../lib/tokens";
import {
  DEMO_CONTACTS,
  DEMO_ENVELOPES,
  DEMO_TEMPLATES,
  DEMO_USER,
  DEMO_WORKSPACES,
  type DemoEnvelope,
} from "./demo-data";
import { sampleFile } from "./load";

type Seeding = Pick<Dependencies, "db" | "files" | "clock" | "log" | "passwordHasher">;
const NO_LIMIT = { accountBytes: null };
type Rows = { userId: number; workspaceIds: number[]; contacts: Contact[]; templates: Template[] };

/**
 * Creates the demo account with workspaces, contacts, templates and envelopes in every state. Queues no messages,
 * because the recipients are fictional.
 * @returns the ids of the account and its first workspace
 */
export async function seedDemo(deps: Seeding): Promise<{ userId: number; workspaceId: number }> {
  const { db, clock, passwordHasher } = deps;
  const createdAt = daysFrom(clock.now(), -90);
  const password = await passwordHasher.hash(DEMO_USER.password);
  const account = {
    onboardingCompleted: true,
    isVerified: true,
    verifiedByOwner: true,
    isAdministrator: false,
  };
  await runBatch(db, [insertUser(db, { ...DEMO_USER, ...account, password, createdAt })]);
  const user = await findUserByEmail(db, DEMO_USER.email);
  if (!user) throw new Error("The demo account was not created");
  const owner = { userId: user.id, role: "owner" } as const;
  const dates = { createdAt, updatedAt: createdAt };
  const rows: Rows = { userId: user.id, workspaceIds: [], contacts: [], templates: [] };
  for (const workspace of DEMO_WORKSPACES)
    rows.workspaceIds.push((await insertWorkspace(db, user.id, { ...workspace, ...dates })).id);
  const workspaceId = rows.workspaceIds[0] ?? 0;
  for (const contact of DEMO_CONTACTS) {
    const row = { ...contact, email: addressOf(contact), workspaceId, ...dates };
    rows.contacts.push(await insertContact(db, owner, row, NO_LIMIT));
  }
  for (const template of DEMO_TEMPLATES)
    rows.templates.push(await insertTemplate(db, owner, { ...template, workspaceId, createdAt }, NO_LIMIT));
  await insertEnvelopes(deps, rows);
  return { userId: user.id, workspaceId };
}

/** Under a lease on all files: a server that runs or starts meanwhile would remove files without a row. */
async function insertEnvelopes(deps: Seeding, rows: Rows): Promise<void> {
  const lease = await leaseAllFiles(deps);
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
  const row = envelopeRow(envelope, rows, template, clock.now());
  const documents = await insertSeedEnvelope(db, row, template, eventsOf(row));
  if (row.completedAt) for (const document of documents) await insertFile(deps, document, row.completedAt);
}

function envelopeRow(envelope: DemoEnvelope, rows: Rows, template: Template, now: Date): SeedEnvelope {
  const { status, subject, message, reminders, age, ends } = envelope;
  const contact = rows.contacts[envelope.contact];
  const workspaceId = rows.workspaceIds[envelope.workspace];
  if (!contact || !workspaceId) throw new Error("The demo data references a row that does not exist");
  const createdAt = daysFrom(now, -age);
  const completedAt = status === "completed" ? daysFrom(now, -age * 0.6) : null;
  const plan = {
    sentAt: new Date(createdAt),
    reminderFrequency: reminders,
    dueDate: null,
    reminderDays: null,
  };
  const reminder = status === "pending" ? nextReminder(plan, now, null) : null;
  const recipientName = `${contact.firstName} ${contact.lastName}`;
  return {
    userId: rows.userId,
    workspaceId,
    contactId: contact.id,
    templateId: template.id,
    title: `${TITLE_PREFIX}${recipientName}`,
    description: message ?? DEFAULT_DESCRIPTION,
    subject,
    message,
    textBytes: textBytesOf({ subject, message, documents: template.fields }),
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
function eventsOf({
  userId,
  createdAt,
  sentAt,
  completedAt,
  status,
  expirationDate,
}: SeedEnvelope): SeedEvent[] {
  const ended = status === "expired" && expirationDate ? `${expirationDate}T23:59:59.999Z` : null;
  const events = [
    { kind: "created", at: createdAt, actorId: userId, actor: "requestor" },
    { kind: "sent", at: sentAt, actorId: userId, actor: "requestor" },
    { kind: "opened", at: completedAt && halfWay(createdAt, completedAt), actorId: null, actor: "recipient" },
    { kind: "submitted", at: completedAt, actorId: null, actor: "recipient" },
    { kind: "expired", at: ended, actorId: null, actor: "service" },
  ] as const;
  return events.flatMap(({ at, ...event }) => (at ? [{ ...event, at }] : []));
}

const halfWay = (from: string, to: string) => new Date((Date.parse(from) + Date.parse(to)) / 2).toISOString();

async function insertFile(
  { db, files }: Seeding,
  document: { id: number; envelopeId: number; name: string },
  createdAt: string,
): Promise<void> {
  const { bytes, sha256 } = await sampleFile(document.name);
  const filePath = fileKey(randomUploadId(), "pdf");
  const writer = await files.create(filePath);
  await writer.write(bytes);
  await writer.commit();
  await insertSeedFile(db, {
    ...{ envelopeId: document.envelopeId, envelopeDocumentId: document.id, documentName: document.name },
    ...{ filePath, createdAt, sha256, fileSize: bytes.length, mimeType: "application/pdf" },
    fileName: `${document.name.toLowerCase().replaceAll(" ", "-")}.pdf`,
  });
}

const daysFrom = (now: Date, days: number) => new Date(now.getTime() + days * DAY_MS).toISOString();

const addressOf = ({ firstName, lastName }: { firstName: string; lastName: string }) =>
  `${firstName}.${lastName}@example.com`
    .toLowerCase()
    .normalize("NFD")
    .replace(/[^a-z.@]/g, (letter) => (letter === "ø" ? "o" : ""));
