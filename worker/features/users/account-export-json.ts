import type { Database } from "../../../db/client";
import {
  listEnvelopeEvents,
  listEnvelopeHistories,
  listIdentities,
  listMessages,
} from "../../../db/queries/account-export";
import { listContacts } from "../../../db/queries/contacts";
import { type FullEnvelope, listEnvelopes } from "../../../db/queries/envelopes";
import type { Page } from "../../../db/queries/paging";
import { listTemplates } from "../../../db/queries/templates";
import type { User } from "../../../db/queries/users";
import { listWorkspaces } from "../../../db/queries/workspaces";
import type { Dependencies } from "../../dependencies";
import { archiveFileName, archiveFolderName } from "../../lib/file-names";
import { withheldReason } from "../../lib/withheld";
import { publicUser } from "../auth/public-user";
import { readSessions } from "./sessions.service";

const PAGE = 100;
/** Maximum number of events or messages in memory. */
const HISTORY_ROWS = 1000;
const CHUNK_LENGTH = 64 * 1024;

type File = FullEnvelope["submissions"][number];
type Named = Pick<FullEnvelope, "id" | "subject" | "title">;
type ReadPage<Row> = (page: { limit: number; cursor?: number }) => Promise<Page<Row>>;

/** The account's envelopes, one page at a time. */
export const envelopePages = (db: Database, userId: number) =>
  pages((page) => listEnvelopes(db, userId, page));

/** The path of a submitted file in the archive; null if its bytes are not available. */
export function archivePath({ id, subject, title }: Named, file: File): string | null {
  if (withheldReason(file)) return null;
  return `files/${archiveFolderName(id, subject ?? title)}/${archiveFileName(file.id, file.fileName)}`;
}

/**
 * All rows of the account as one JSON text, streamed page by page. Omits whatever grants access: hashes, tokens and
 * private links.
 */
export async function* accountExportJson(
  deps: Dependencies,
  user: User,
  session: { sid: string; picture: string | null },
): Json {
  let text = "";
  for await (const piece of accountJson(deps, user, session)) {
    text += piece;
    if (text.length < CHUNK_LENGTH) continue;
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
  const head = {
    exportedAt: clock.now().toISOString(),
    account: { ...publicUser(deps.config, user), avatarUrl: session.picture },
    signInProviders: await listIdentities(db, user.id),
    sessions: await readSessions(deps, user.id, session.sid),
    workspaces: await listWorkspaces(db, user.id),
  };
  yield open(head);
  yield* list("messages", rows(portions((portion) => listMessages(db, user.id, null, portion))));
  yield ",\n";
  yield* list("contacts", rows(pages((page) => listContacts(db, user.id, page))));
  yield ",\n";
  yield* list("templates", rows(pages((page) => listTemplates(db, user.id, page))));
  yield ",\n";
  yield* list("envelopes", envelopesWithHistory(db, user.id));
  yield "\n}\n";
}

/** Reads the histories of a page of envelopes in one query, unless they are longer than `HISTORY_ROWS`. */
async function* envelopesWithHistory(db: Database, userId: number): AsyncGenerator<Json> {
  for await (const page of envelopePages(db, userId)) {
    const ids = page.map(({ id }) => id);
    const { events, messages } = await listEnvelopeHistories(db, userId, ids, HISTORY_ROWS);
    const isWhole = events.length < HISTORY_ROWS && messages.length < HISTORY_ROWS;
    for (const envelope of page) {
      const isItsOwn = ({ requestId }: { requestId: number | null }) => requestId === envelope.id;
      yield isWhole
        ? envelopeJson(envelope, [events.filter(isItsOwn)], [messages.filter(isItsOwn)])
        : envelopeJson(
            envelope,
            portions((portion) => listEnvelopeEvents(db, userId, envelope.id, portion)),
            portions((portion) => listMessages(db, userId, envelope.id, portion)),
          );
    }
  }
}

async function* envelopeJson(envelope: FullEnvelope, events: Parts, messages: Parts): Json {
  yield open(withoutLink(envelope));
  yield* list("events", rows(events));
  yield ",\n";
  yield* list("messages", rows(messages));
  yield "\n}";
}

function withoutLink({ submissionToken: _secret, submissions, ...envelope }: FullEnvelope) {
  const files = submissions.map((submission) => {
    const { filePath: _inStore, ...file } = submission;
    return { ...file, file: archivePath(envelope, submission) };
  });
  return { ...envelope, submissions: files };
}

async function* pages<Row>(read: ReadPage<Row>): AsyncGenerator<Row[]> {
  for (let cursor: number | undefined; ; ) {
    const { rows, next } = await read({ limit: PAGE, ...(cursor !== undefined && { cursor }) });
    if (rows.length > 0) yield rows;
    if (next === null) return;
    cursor = next;
  }
}

/** All rows of a list that is read by id, one batch at a time. */
async function* portions<Row extends { id: number }>(
  read: (portion: { after: number; limit: number }) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  for (let after = 0; ; ) {
    const found = await read({ after, limit: HISTORY_ROWS });
    yield found;
    if (found.length < HISTORY_ROWS) return;
    after = found.at(-1)?.id ?? after;
  }
}

/** JSON text in chunks. */
type Json = AsyncGenerator<string>;
type Parts = AsyncIterable<object[]> | Iterable<object[]>;

/** The beginning of an object, without its closing brace, so that properties can follow. */
const open = (value: object) => `${JSON.stringify(value, null, 2).slice(0, -2)},\n`;

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
