import { Database } from "bun:sqlite";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { readKeyFile } from "../../worker/adapters/bun/files/key-file";
import { isFileKey } from "../../worker/adapters/shared/file-key";
import { createSecretBox } from "../../worker/adapters/shared/secret-box";
import { SEALED_CONTEXTS } from "../../worker/ports/crypto";
import type { ReceivedMail } from "../contract/mailer-suite";
import { sha256 } from "../support/files/files";

/** What a server has acknowledged. */
export type Acknowledged = {
  /** Password by address. */
  passwords: Map<string, string>;
  envelopes: Set<number>;
  deleted: Set<number>;
  /** SHA-256 of the submitted file, by envelope. */
  files: Map<number, string>;
  /** SHA-256 of the picture, by address. */
  avatars: Map<string, string>;
  /** Addresses of deleted accounts. */
  closed: Set<string>;
  /** Who has joined or left, by the workspace's id and the address. */
  members: Map<string, "member" | "gone">;
  /** By envelope: how many calls with answers were acknowledged, and in which states they may have left it. */
  answers: Map<number, { calls: number; possible: readonly string[] }>;
  /** Creations that were sent and not answered, by `Idempotency-Key`. */
  unanswered: Map<string, { cookie: string; body: { subject: string } }>;
};

export const noAcknowledgements = (): Acknowledged => ({
  passwords: new Map(),
  envelopes: new Set(),
  deleted: new Set(),
  files: new Map(),
  avatars: new Map(),
  closed: new Set(),
  members: new Map(),
  answers: new Map(),
  unanswered: new Map(),
});

export const countOf = ({ unanswered: _, ...acknowledged }: Acknowledged) =>
  Object.values(acknowledged).reduce((sum, { size }) => sum + size, 0);

/** The state of an envelope and its answers, all of which are kept or, once it is completed, submitted. */
export const answersState = (status: string, answers: Record<string, unknown>) =>
  JSON.stringify([status, Object.entries(answers).filter(([, value]) => value !== null)]);

type Known = {
  /** All received mails, if the test's SMTP server received them. */
  mails?: ReceivedMail[];
  /** Where the files are; defaults to `uploads` in the folder. */
  uploads?: string;
};

/** All inconsistencies in the data folder of a stopped server; empty if there are none. */
export async function problemsOfStore(
  folder: string,
  acknowledged: Acknowledged,
  { mails, uploads = join(folder, "uploads") }: Known = {},
): Promise<string[]> {
  const db = new Database(join(folder, "doculopes.db"), { readonly: true });
  try {
    return [
      ...lostRows(db, acknowledged),
      ...(await lostFiles(db, uploads, acknowledged)),
      ...(await mismatches(db, uploads)),
      ...(await leftovers(db, folder)),
      ...damages(db),
      ...memberProblems(db, acknowledged),
      ...(await answerProblems(db, folder, acknowledged)),
      ...(mails ? mailProblems(db, mails) : []),
    ];
  } finally {
    db.close();
  }
}

function lostRows(db: Database, acknowledged: Acknowledged): string[] {
  const emails = new Set(column(db, "select email as value from users"));
  const ids = new Set(column(db, "select id as value from envelopes"));
  return [
    ...[...acknowledged.passwords.keys()]
      .filter((email) => !emails.has(email))
      .map((email) => `${email} is lost`),
    ...[...acknowledged.envelopes].filter((id) => !ids.has(id)).map((id) => `envelope ${id} is lost`),
    ...[...acknowledged.deleted].filter((id) => ids.has(id)).map((id) => `envelope ${id} is back`),
  ];
}

async function lostFiles(db: Database, uploads: string, acknowledged: Acknowledged): Promise<string[]> {
  const hashOf = (name: unknown) => sha256(Bun.file(join(uploads, String(name)))).catch(() => "no file");
  const submitted = db.query<{ value: string }, [number]>(
    "select file_path as value from submissions where envelope_id = ?",
  );
  const picture = db.query<{ value: string }, [string]>(
    "select replace(avatar_url, '/uploads/', '') as value from users where email = ?",
  );
  const problems: string[] = [];
  for (const [id, hash] of acknowledged.files)
    if ((await hashOf(submitted.get(id)?.value)) !== hash) problems.push(`the file of ${id} is lost`);
  for (const [email, hash] of acknowledged.avatars)
    if ((await hashOf(picture.get(email)?.value)) !== hash) problems.push(`the picture of ${email} is lost`);
  return problems;
}

async function mismatches(db: Database, uploads: string): Promise<string[]> {
  const named = new Set(
    column(
      db,
      `select file_path as value from submissions join envelopes on envelopes.id = envelope_id
         where files_deleted_at is null
       union select replace(avatar_url, '/uploads/', '') from users where avatar_url is not null
       union select replace(logo_url, '/uploads/', '') from workspaces where logo_url is not null`,
    ),
  );
  const stored = new Set<unknown>((await readdir(uploads)).filter(isFileKey));
  const isLeased = leasesOf(db);
  const toRemove = new Set(column(db, "select key as value from file_deletions"));
  return [
    ...[...named].filter((key) => !stored.has(key)).map((key) => `row without file: ${key}`),
    ...[...stored]
      .filter((key) => !named.has(key) && !isLeased(key) && !toRemove.has(key))
      .map((key) => `file without row: ${key}`),
  ];
}

/** Each possible state of an envelope, and what must hold in it. */
const LEGAL = `
  (status = 'draft' and is_draft = 1 and sent_at is null and completed_at is null) or
  (status = 'pending' and is_draft = 0 and sent_at is not null and completed_at is null) or
  (status = 'expired' and is_draft = 0 and expiration_date is not null and completed_at is null) or
  (status = 'completed' and is_draft = 0 and completed_at is not null and next_reminder_at is null)`;

/** Leftovers that nobody will ever remove: only a lease leads to a partially written file. */
async function leftovers(db: Database, folder: string): Promise<string[]> {
  const isLeased = leasesOf(db);
  const names = await readdir(join(folder, "tmp"));
  return names.filter((name) => !isLeased(name)).map((name) => `left in tmp: ${name}`);
}

function leasesOf(db: Database): (key: unknown) => boolean {
  const prefixes = column(db, "select key_prefix as value from upload_leases").map(String);
  return (key) => prefixes.some((prefix) => String(key).startsWith(prefix));
}

function damages(db: Database): string[] {
  const halfDone = `select id as value from envelopes r where (status = 'completed') <> (exists
    (select 1 from submissions s where s.envelope_id = r.id) or exists
    (select 1 from answers a where a.envelope_id = r.id and submitted_at is not null))`;
  return [
    ...column(db, halfDone).map((id) => `envelope ${id} is half-done`),
    ...column(db, `select id as value from envelopes where not (${LEGAL})`).map(
      (id) => `envelope ${id} is in a state that nobody put it in`,
    ),
    ...db
      .query("pragma foreign_key_check")
      .all()
      .map((row) => `foreign key: ${JSON.stringify(row)}`),
    ...column(db, "select integrity_check as value from pragma_integrity_check").flatMap((text) =>
      text === "ok" ? [] : [String(text)],
    ),
  ];
}

/** What must hold of every workspace, whoever has joined, left or deleted an account. Nobody is a member of one set aside. */
const OF_WORKSPACES = {
  "has no owner": `select id as value from workspaces w where set_aside_at is null and not exists
    (select 1 from workspace_members m where m.workspace_id = w.id and m.role = 'owner')`,
  "has an owner of record who does not own it": `select id as value from workspaces w where set_aside_at is null and not exists
    (select 1 from workspace_members m where m.workspace_id = w.id and m.user_id = w.user_id)`,
  "has an envelope of somebody who cannot work on it": `select r.workspace_id as value from envelopes r
    join workspaces w on w.id = r.workspace_id where w.set_aside_at is null and not exists
    (select 1 from workspace_members m where m.workspace_id = r.workspace_id and m.user_id = r.user_id and m.role <> 'viewer')`,
  "has a queued mail of another assignee than its envelope": `select r.workspace_id as value from notifications n
    join envelopes r on r.id = n.envelope_id where n.user_id <> r.user_id`,
  "has a used invitation": `select i.workspace_id as value from invitations i join users u on u.email = i.email
    join workspace_members m on m.user_id = u.id and m.workspace_id = i.workspace_id`,
  "has an activity without its change": `select a.workspace_id as value from workspace_activity a
    join users u on u.id = json_extract(a.target, '$.id')
    where a.id = (select max(id) from workspace_activity b where b.workspace_id = a.workspace_id
      and json_extract(b.target, '$.id') = u.id and b.type in ('member.joined', 'member.left', 'member.removed'))
    and (a.type = 'member.joined') <> exists
      (select 1 from workspace_members m where m.workspace_id = a.workspace_id and m.user_id = u.id)`,
};

function memberProblems(db: Database, { members, closed }: Acknowledged): string[] {
  const emails = new Set(column(db, "select email as value from users"));
  const stored = new Set(
    column(
      db,
      "select m.workspace_id || ' ' || u.email as value from workspace_members m join users u on u.id = m.user_id",
    ),
  );
  return [
    ...column(
      db,
      "select email as value from users u where not exists (select 1 from workspace_members m where m.user_id = u.id)",
    ).map((email) => `${email} has no workspace`),
    ...Object.entries(OF_WORKSPACES).flatMap(([problem, statement]) =>
      column(db, statement).map((id) => `workspace ${id} ${problem}`),
    ),
    ...[...closed].filter((email) => emails.has(email)).map((email) => `the account of ${email} is back`),
    ...[...members]
      .filter(([key, state]) => stored.has(key) !== (state === "member"))
      .map(([key, state]) => `membership ${key} was acknowledged as ${state}`),
  ];
}

type AnswerRow = { documentId: number; value: string; sealed: number };

/** The answers are as the last call has left them, confidential ones included. */
async function answerProblems(db: Database, folder: string, { answers }: Acknowledged): Promise<string[]> {
  const box = createSecretBox(() => readKeyFile(folder));
  const statusOf = db.query<{ status: string }, [number]>("select status from envelopes where id = ?");
  const rowsOf = db.query<AnswerRow, [number]>(
    `select envelope_document_id as documentId, value, sealed from answers a join envelopes e on e.id = a.envelope_id
       where e.id = ? and (status = 'completed') = (submitted_at is not null) order by 1`,
  );
  const open = async ({ documentId, value, sealed }: AnswerRow) =>
    JSON.parse(sealed ? await box.open(JSON.parse(value), SEALED_CONTEXTS.answer(documentId)) : value);
  const problems = [...answers].map(async ([id, { possible }]) => {
    const rows = rowsOf.all(id);
    const values = await Promise.all(rows.map(async (row) => [row.documentId, await open(row)]));
    const state = answersState(statusOf.get(id)?.status ?? "", Object.fromEntries(values));
    return possible.includes(state) ? [] : [`envelope ${id} is ${state} instead of ${possible.join(" or ")}`];
  });
  const half = `select distinct e.id as value from answers a join envelopes e on e.id = a.envelope_id
    where (status = 'completed') <> (submitted_at is not null)`;
  return [
    ...(await Promise.all(problems)).flat(),
    ...column(db, half).map((id) => `envelope ${id} keeps some answers`),
  ];
}

/** Each sent row was received. A duplicate was interrupted in between, and is the same mail. */
function mailProblems(db: Database, mails: ReceivedMail[]): string[] {
  const times = new Map<number, number>();
  for (const { messageId } of mails) {
    const id = Number(/notification-(\d+)-/.exec(messageId)?.[1]);
    times.set(id, (times.get(id) ?? 0) + 1);
  }
  const sent = column(
    db,
    "select id as value from notifications where status = 'sent' and channel = 'email'",
  );
  return [
    ...sent.filter((id) => !times.has(Number(id))).map((id) => `mail ${id} is marked as sent and never came`),
    ...[...times].filter(([, count]) => count > 2).map(([id, count]) => `mail ${id} came ${count} times`),
  ];
}

function column(db: Database, statement: string): unknown[] {
  return db
    .query<{ value: unknown }, []>(statement)
    .all()
    .map(({ value }) => value);
}
