import type { Database } from "../../../db/client";
import { findAccountRecords, listEnvelopeHistories } from "../../../db/queries/account-export";
import { listContacts } from "../../../db/queries/contacts";
import { type FullEnvelope, listEnvelopes } from "../../../db/queries/envelopes";
import type { Page } from "../../../db/queries/paging";
import { listTemplates } from "../../../db/queries/templates";
import type { User } from "../../../db/queries/users";
import { listWorkspaces } from "../../../db/queries/workspaces";
import type { Dependencies } from "../../dependencies";
import { archiveFileName } from "../../lib/file-names";
import { withheldReason } from "../../lib/withheld";
import { publicUser } from "../auth/public-user";
import { readSessions } from "./sessions.service";

const PAGE = 100;

type File = FullEnvelope["submissions"][number];
type ReadPage<Row> = (page: { limit: number; cursor?: number }) => Promise<Page<Row>>;

/** The account's envelopes, one page at a time. */
export const envelopePages = (db: Database, userId: number) =>
  pages((page) => listEnvelopes(db, userId, page));

/** The path of a submitted file in the archive; null if its bytes are not available. */
export function archivePath(envelopeId: number, file: File): string | null {
  if (withheldReason(file)) return null;
  return `files/${envelopeId}/${archiveFileName(file.id, file.fileName)}`;
}

/**
 * All rows of the account as one JSON text, streamed page by page. Leaves out whatever grants access: hashes, tokens
 * and private links.
 */
export async function* accountExportJson(
  deps: Dependencies,
  user: User,
  session: { sid: string; picture: string | null },
): AsyncGenerator<string> {
  const { db, clock } = deps;
  const { providers, messages } = await findAccountRecords(db, user.id);
  const head = {
    exportedAt: clock.now().toISOString(),
    account: { ...publicUser(deps.config, user), avatarUrl: session.picture },
    signInProviders: providers,
    sessions: await readSessions(deps, user.id, session.sid),
    messages,
    workspaces: await listWorkspaces(db, user.id),
  };
  yield `${JSON.stringify(head, null, 2).slice(0, -2)},\n`;
  yield* list(
    "contacts",
    pages((page) => listContacts(db, user.id, page)),
  );
  yield ",\n";
  yield* list(
    "templates",
    pages((page) => listTemplates(db, user.id, page)),
  );
  yield ",\n";
  yield* list("envelopes", envelopesWithHistory(db, user.id));
  yield "\n}\n";
}

async function* envelopesWithHistory(db: Database, userId: number) {
  for await (const page of envelopePages(db, userId)) {
    const ids = page.map(({ id }) => id);
    const { events, messages } = await listEnvelopeHistories(db, userId, ids);
    yield page.map((envelope) => ({
      ...withoutLink(envelope),
      events: events.filter(({ requestId }) => requestId === envelope.id),
      messages: messages.filter(({ requestId }) => requestId === envelope.id),
    }));
  }
}

function withoutLink({ submissionToken: _secret, submissions, ...envelope }: FullEnvelope) {
  const files = submissions.map((submission) => {
    const { filePath: _inStore, ...file } = submission;
    return { ...file, file: archivePath(envelope.id, submission) };
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

async function* list(name: string, parts: AsyncIterable<object[]>): AsyncGenerator<string> {
  yield `  ${JSON.stringify(name)}: [`;
  let separator = "\n";
  for await (const rows of parts) {
    yield separator + rows.map((row) => JSON.stringify(row, null, 2)).join(",\n");
    separator = ",\n";
  }
  yield "]";
}
