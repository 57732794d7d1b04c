import {
  listAccountMessages,
  listEnvelopeEvents,
  listEnvelopeHistories,
  listIdentities,
  listMessages,
} from "../../../db/queries/account-export";
import { listAttachments } from "../../../db/queries/attachments";
import { listBulkSends } from "../../../db/queries/bulk-sends";
import { listContacts } from "../../../db/queries/contacts";
import { deliveriesOfFiles } from "../../../db/queries/deliveries-of-files";
import { listWholeEnvelopes } from "../../../db/queries/envelope-list";
import type { FullEnvelope } from "../../../db/queries/envelopes";
import type { Member } from "../../../db/queries/members";
import type { Cursor } from "../../../db/queries/paging";
import { listPasskeys } from "../../../db/queries/passkeys";
import { findSecondFactors } from "../../../db/queries/second-factors";
import { findSeries, listSeriesIds, listSeriesRecipients } from "../../../db/queries/series";
import { listTemplates } from "../../../db/queries/templates";
import type { User } from "../../../db/queries/users";
import { listWorkspaces } from "../../../db/queries/workspaces";
import { LIMITS } from "../../contract/limits";
import type { Dependencies } from "../../dependencies";
import { archiveFileName, archiveFolderName, nameByContent } from "../../lib/file-names";
import { pagesOf } from "../../lib/pages";
import { fileEntry, type ZipEntry, zipStream } from "../../lib/zip";
import { publicUser } from "../auth/public-user";
import { findPeople, peopleOf } from "../envelopes/envelope-view";
import { unavailableReason } from "../files/scanning";
import { readSessions, readSignIns } from "./sessions.service";

/**
 * All of the account's data as a ZIP archive: `data.json`, the picture, forms, and the files of each envelope. Streamed, so
 * that its size does not matter.
 */
export function exportAccount(
  deps: Dependencies,
  user: User,
  sid: string,
): Promise<ReadableStream<Uint8Array>> {
  return zipStream(entries(deps, user, sid));
}

async function* entries(deps: Dependencies, user: User, sid: string): AsyncGenerator<ZipEntry> {
  const { files, clock, log } = deps;
  const key = user.avatarUrl?.split("/").at(-1);
  const picture = key ? `picture.${user.avatarMimeType?.split("/").at(-1)}` : null;
  const lastModified = clock.now();
  yield { name: "data.json", input: accountExportJson(deps, user, { sid, picture }), lastModified };
  const image = key && (await files.read(key));
  if (picture && image) yield* fileEntry(image, { name: picture, lastModified });
  for await (const page of attachmentPages(deps, ownerOf(user)))
    for (const form of page) {
      const bytes = await files.read(form.filePath);
      const entry = { size: form.fileSize, lastModified: new Date(form.createdAt) };
      if (bytes) yield* fileEntry(bytes, { name: formPath(form), ...entry });
      else log.error("file missing from an export", { file: form.filePath });
    }
  for await (const page of envelopePages(deps, ownerOf(user))) {
    for (const envelope of page) {
      for (const file of envelope.submissions) {
        const name = archivePath(envelope, file);
        const bytes = name && (await files.read(file.filePath));
        const entry = { size: file.fileSize, lastModified: new Date(file.createdAt) };
        if (name && bytes) yield* fileEntry(bytes, { name, ...entry });
        else if (name) log.error("file missing from an export", { file: file.filePath });
      }
    }
  }
}

const PAGE = 100;
/** In turn with others; a Worker's queries are counted. */
const ENVELOPES_IN_TURN = 40;
/** Maximum number of events or messages in memory. */
const HISTORY_ROWS = 1000;
const CHUNK_LENGTH = 64 * 1024;

type File = FullEnvelope["submissions"][number];
type Named = Pick<FullEnvelope, "id" | "subject" | "title">;

/** The export has the workspaces that the account owns. */
const ownerOf = (user: User): Member => ({ userId: user.id, role: "owner" });

/** What is set up, without what grants access. */
async function secondFactors({ db, clock }: Dependencies, userId: number) {
  const { totp, recoveryCodesLeft, rememberedDevices } = await findSecondFactors(
    db,
    userId,
    clock.now().toISOString(),
  );
  const passkeys = await listPasskeys(db, userId);
  return {
    authenticatorApp: totp,
    recoveryCodesLeft,
    rememberedDevices,
    passkeys: passkeys.map(({ name, createdAt, lastUsedAt }) => ({ name, createdAt, lastUsedAt })),
  };
}

/** The envelopes of the account's workspaces, one page at a time. */
const envelopePages = (
  { db, clock, takeTurn }: Pick<Dependencies, "db" | "clock" | "takeTurn">,
  member: Member,
) => {
  const limit = takeTurn ? ENVELOPES_IN_TURN : PAGE;
  const read = (cursor?: Cursor) =>
    listWholeEnvelopes(db, member, { limit, cursor, now: clock.now().toISOString(), takeTurn });
  return inTurn({ takeTurn }, pagesOf(read));
};

/** The forms of the account's workspaces. */
const attachmentPages = ({ db }: Pick<Dependencies, "db">, member: Member) =>
  portions((portion) => listAttachments(db, member, portion));

/** The path of a form in the archive. */
const formPath = ({ id, fileName, mimeType }: Pick<File, "id" | "fileName" | "mimeType">) =>
  `forms/${archiveFileName(id, nameByContent(fileName, mimeType))}`;

/** The path of a submitted file in the archive; null if its bytes are not available. */
function archivePath({ id, subject, title }: Named, file: File): string | null {
  if (unavailableReason(file)) return null;
  const name = archiveFileName(file.id, nameByContent(file.fileName, file.mimeType));
  return `files/${archiveFolderName(id, subject ?? title)}/${name}`;
}

/**
 * All rows of the account as one JSON text, streamed page by page. Omits whatever grants access: hashes, tokens and
 * private links.
 */
async function* accountExportJson(
  deps: Dependencies,
  user: User,
  session: { sid: string; picture: string | null },
): Json {
  let text = "";
  for await (const chunk of accountJson(deps, user, session)) {
    text += chunk;
    if (text.length < CHUNK_LENGTH) continue;
    await deps.takeTurn?.();
    yield text;
    text = "";
  }
  yield text;
}

async function* accountJson(
  deps: Dependencies,
  user: User,
  session: { sid: string; picture: string | null },
): Json {
  const { db, clock } = deps;
  const member = ownerOf(user);
  const head = {
    exportedAt: clock.now().toISOString(),
    account: { ...publicUser(deps, user), avatarUrl: session.picture },
    signInProviders: await listIdentities(db, user.id),
    secondFactors: await secondFactors(deps, user.id),
    sessions: await readSessions(deps, user.id, session.sid),
    signIns: (await readSignIns(deps, user.id, {})).rows,
    workspaces: await listWorkspaces(db, member),
  };
  yield open(head);
  yield* list("messages", rows(portions((portion) => listAccountMessages(db, user.id, portion))));
  yield ",\n";
  yield* list(
    "contacts",
    rows(pagesOf((cursor?: Cursor) => listContacts(db, member, { limit: PAGE, cursor }))),
  );
  yield ",\n";
  yield* list(
    "templates",
    rows(
      inTurn(
        deps,
        pagesOf((cursor?: Cursor) => listTemplates(db, member, { limit: PAGE, cursor })),
      ),
    ),
  );
  yield ",\n";
  yield* list("attachments", rows(exportedForms(deps, member)));
  yield ",\n";
  yield* list("bulkSends", rows(portions((portion) => listBulkSends(db, member, portion), PAGE)));
  yield ",\n";
  yield* list("series", rows(inTurn(deps, exportedSeries(deps, member))));
  yield ",\n";
  yield* list("envelopes", envelopesWithHistory(deps, member));
  yield "\n}\n";
}

async function* exportedForms(deps: Dependencies, member: Member) {
  for await (const page of attachmentPages(deps, member))
    yield page.map(({ filePath: _inStore, ...form }) => ({ ...form, file: formPath(form) }));
}

/** Each series with its recipients and its occurrences. */
async function* exportedSeries({ db }: Dependencies, member: Member) {
  for (const id of await listSeriesIds(db, member, {})) {
    const found = await findSeries(db, member, id, LIMITS.pageMax);
    if (!found) continue;
    const { address: _, ...series } = found;
    yield [{ ...series, recipients: await listSeriesRecipients(db, id) }];
  }
}

/**
 * Reads the histories of as many envelopes in one query as have fewer than `HISTORY_ROWS` together: one for each envelope
 * would be more than a Worker may make.
 */
async function* envelopesWithHistory(deps: Dependencies, member: Member): AsyncGenerator<Json> {
  const { db } = deps;
  let count = PAGE;
  for await (const page of envelopePages(deps, member)) {
    const people = await findPeople({ db }, page);
    const deliveries = await deliveriesOfFiles(db, page, deps.takeTurn);
    const exported = ({ watchers, ...row }: FullEnvelope) => {
      const watching = watchers.includes(member.userId);
      return { ...withoutLink(row, deliveries), ...peopleOf(row, people), watching };
    };
    for (let position = 0; position < page.length; ) {
      const envelopes = page.slice(position, position + count);
      const ids = envelopes.map(({ id }) => id);
      await deps.takeTurn?.();
      const { events, messages } = await listEnvelopeHistories(db, member, ids, HISTORY_ROWS);
      const length = Math.max(events.length, messages.length);
      const isWhole = length < HISTORY_ROWS;
      if (!isWhole && envelopes.length > 1) {
        count = Math.ceil(envelopes.length / 2);
        continue;
      }
      for (const envelope of envelopes) {
        const isItsOwn = ({ requestId }: { requestId: number | null }) => requestId === envelope.id;
        yield isWhole
          ? envelopeJson(exported(envelope), [events.filter(isItsOwn)], [messages.filter(isItsOwn)])
          : envelopeJson(
              exported(envelope),
              portions((portion) => listEnvelopeEvents(db, member, envelope.id, portion)),
              portions((portion) => listMessages(db, member, envelope.id, portion)),
            );
      }
      position += envelopes.length;
      if (length < HISTORY_ROWS / 2) count = Math.min(count * 2, PAGE);
    }
  }
}

async function* envelopeJson(envelope: object, events: Parts, messages: Parts): Json {
  yield open(envelope);
  yield* list("events", rows(events));
  yield ",\n";
  yield* list("messages", rows(messages));
  yield "\n}";
}

function withoutLink(
  { submissionToken: _secret, submissions, answers, ...envelope }: Omit<FullEnvelope, "watchers">,
  deliveries: Awaited<ReturnType<typeof deliveriesOfFiles>>,
) {
  const files = submissions.map((submission) => {
    const { filePath: _inStore, ...file } = submission;
    return { ...file, deliveries: deliveries.get(file.id) ?? [], file: archivePath(envelope, submission) };
  });
  // What is kept belongs to the recipient until they submit it, and nothing sealed leaves the database.
  const submitted = answers
    .filter(({ submittedAt }) => submittedAt !== null)
    .map(({ value, ...answer }) => ({ ...answer, value: answer.sealed ? null : value }));
  return { ...envelope, submissions: files, answers: submitted };
}

/** All rows of a list that is read by id, one batch at a time. */
async function* portions<Row extends { id: number }>(
  read: (portion: { after: number; limit: number }) => Promise<Row[]>,
  limit = HISTORY_ROWS,
): AsyncGenerator<Row[]> {
  for (let after = 0; ; ) {
    const found = await read({ after, limit });
    yield found;
    if (found.length < limit) return;
    after = found.at(-1)?.id ?? after;
  }
}

/** JSON text in chunks. */
type Json = AsyncGenerator<string>;
type Parts = AsyncIterable<object[]> | Iterable<object[]>;

/** The beginning of an object, without its closing brace, so that properties can follow. */
const open = (value: object) => `${JSON.stringify(value, null, 2).slice(0, -2)},\n`;

/** Reading a megabyte, which one row may have, and writing it are two turns. */
async function* inTurn<Part>({ takeTurn }: Pick<Dependencies, "takeTurn">, parts: AsyncIterable<Part>) {
  for await (const part of parts) {
    await takeTurn?.();
    yield part;
    await takeTurn?.();
  }
}

async function* rows(parts: Parts): AsyncGenerator<[string]> {
  for await (const part of parts) for (const row of part) yield [JSON.stringify(row, null, 2)];
}

async function* list(name: string, items: AsyncIterable<AsyncIterable<string> | [string]>): Json {
  yield `  ${JSON.stringify(name)}: [`;
  let separator = "\n";
  for await (const item of items) {
    yield separator;
    yield* item;
    separator = ",\n";
  }
  yield "]";
}
