import { runBatch } from "../../../db/client";
import { type ArchivedEnvelope, listArchivedEnvelopes } from "../../../db/queries/envelope-archive";
import { type Caller, insertDownloads } from "../../../db/queries/envelope-events";
import { listIdsWithFiles } from "../../../db/queries/envelope-list";
import type { Member } from "../../../db/queries/members";
import { csvLine } from "../../contract/csv-line";
import { csvSeparator } from "../../contract/csv-separator";
import { documentKey } from "../../contract/document-names";
import type { ArchiveQuery } from "../../contract/envelopes";
import {
  DEFAULT_FILE_NAME_RULE,
  type FileNameValues,
  fileNamer,
  nameFiles,
} from "../../contract/file-name-rule";
import { LIMITS, SERVER_LIMITS } from "../../contract/limits";
import type { Language } from "../../contract/options";
import type { Dependencies } from "../../dependencies";
import { appError, validationError } from "../../errors";
import { nameByContent } from "../../lib/file-names";
import { fileEntry, type ZipEntry, zipStream } from "../../lib/zip";
import { unavailableReason } from "../files/scanning";
import { type MailText, mailTextOf } from "../notifications/mail-texts";
import { answerCells, headOf, submittedAnswers } from "./answers.service";
import { answersPage } from "./answers-page";

const MANIFEST = "manifest.csv";
const ANSWERS_PAGE = "answers.html";
const ANSWERS_LIST = "answers.csv";
const MANIFEST_COLUMNS = ["document", "file", "originalName", "bytes", "sha256", "uploadedAt"] as const;
const ENVELOPE_COLUMNS = ["subject", "recipient"] as const;
type Column = (typeof MANIFEST_COLUMNS | typeof ENVELOPE_COLUMNS)[number];
/** Windows cannot unpack paths longer than about 260 characters everywhere. */
const MAX_FOLDER_PART = 40;

type File = ArchivedEnvelope["submissions"][number];
/** Whose answers are read when it is their turn: all of them would not fit into memory. `folder` ends with a slash, or is empty. */
type AnsweredEnvelope = { id: number; folder: string; questions: readonly string[] };
type Description = { id: number; recipient: string; subject: string };
/** `name` is the path in the archive. */
type NamedFile = { envelope: Description; file: File; name: string };
type Options = {
  /** Whether to include files that a newer submission replaced. */
  superseded: boolean;
  /** Whether to record the download in the timelines. */
  recorded: boolean;
  /** That of the manifest and the answers, with the separator of its lists. */
  language: Language;
};
/** `files` is how many it has. */
type Archive = { archive: ReadableStream<Uint8Array>; name: string; files: number };

/**
 * The submitted files of an envelope as a ZIP archive with a manifest, named by the rule of its workspace.
 * @returns the archive and its file name
 * @throws AppError `envelope_not_found`; `no_files` if no file is available
 */
export async function archiveEnvelope(
  deps: Dependencies,
  caller: Caller,
  id: number,
  options: Options,
): Promise<Archive> {
  const [envelope] = await Array.fromAsync(archived(deps, caller, [id]));
  if (!envelope) throw appError("envelope_not_found");
  const files = await nameAll(deps, envelope, options);
  const { recipient, subject } = descriptionOf(envelope);
  const values = { recipient, subject, document: "", date: "", original: "archive.zip" };
  const [name = ""] = nameFiles("{subject} - {recipient}", [values]);
  const answered = hasAnswers(envelope) ? [{ id, folder: "", questions: questionsOf(envelope) }] : [];
  return {
    archive: await startArchive(deps, caller, { files, answered }, { columns: MANIFEST_COLUMNS, ...options }),
    name,
    files: files.length,
  };
}

/**
 * The same for several envelopes: a folder for each envelope with files, and one manifest.
 * @throws AppError `envelope_not_found` if one is not the caller's; `no_files` if none has a file; `validation` if there are
 * too many files, or a contact has too many envelopes
 */
export async function archiveEnvelopes(
  deps: Dependencies,
  caller: Caller,
  { ids = [], contactId }: ArchiveQuery,
  options: Options,
): Promise<Archive> {
  const chosen = contactId === undefined ? ids : await idsOfContact(deps, caller, contactId);
  const withFiles: { envelope: Description; files: NamedFile[]; questions: string[] | undefined }[] = [];
  const max = SERVER_LIMITS.filesPerArchive;
  let count = 0;
  for await (const envelope of archived(deps, caller, chosen)) {
    const files = await nameAll(deps, envelope, options);
    count += files.length;
    // Memory has all of them until the end of the archive, which names them.
    if (count > max)
      throw validationError([{ path: "ids", message: `An archive holds at most ${max} files` }]);
    const questions = hasAnswers(envelope) ? questionsOf(envelope) : undefined;
    if (files.length > 0 || questions)
      withFiles.push({ envelope: descriptionOf(envelope), files, questions });
  }
  const folders = nameFolders(withFiles.map(({ envelope }) => envelope));
  const files = withFiles.flatMap(({ files }, index) =>
    files.map((file) => ({ ...file, name: `${folders[index]}/${file.name}` })),
  );
  const answered = withFiles.flatMap(({ envelope: { id }, questions }, index) =>
    questions ? [{ id, folder: `${folders[index]}/`, questions }] : [],
  );
  const columns = [...ENVELOPE_COLUMNS, ...MANIFEST_COLUMNS];
  const day = deps.clock.now().toISOString().slice(0, "2026-03-14".length);
  return {
    archive: await startArchive(deps, caller, { files, answered }, { columns, ...options }),
    name: `envelopes ${day}.zip`,
    files: count,
  };
}

async function idsOfContact({ db }: Dependencies, member: Member, contactId: number) {
  const max = LIMITS.envelopesPerArchive;
  const ids = await listIdsWithFiles(db, member, { contactId, limit: max + 1 });
  if (ids.length <= max) return ids;
  const message = `An archive holds at most ${max} envelopes, and more than these of the contact have files`;
  throw validationError([{ path: "contactId", message }]);
}

/** Where each read is a call. Elsewhere others are served after each: it may have thousands of files. */
const READ_AT_ONCE = 5;

/** Reads the envelopes one after the other. @throws AppError `envelope_not_found` */
async function* archived({ db, takeTurn }: Dependencies, member: Member, ids: readonly number[]) {
  const size = takeTurn ? 1 : READ_AT_ONCE;
  for (let start = 0; start < ids.length; start += size) {
    await takeTurn?.();
    const some = ids.slice(start, start + size);
    const envelopes = await listArchivedEnvelopes(db, member, some, takeTurn);
    if (envelopes.length < some.length) throw appError("envelope_not_found");
    yield* envelopes;
  }
}

/** Others are served after so many names: each may be cut. */
const NAMED_AT_ONCE = 500;

/** Names files by the rule of the envelope's workspace. @param taken names that none may get */
export async function nameInTurns(
  { takeTurn }: Pick<Dependencies, "takeTurn">,
  { fileNameRule }: Pick<ArchivedEnvelope, "fileNameRule">,
  values: readonly FileNameValues[],
  taken?: readonly string[],
): Promise<string[]> {
  const nameOf = fileNamer(fileNameRule ?? DEFAULT_FILE_NAME_RULE, values, taken);
  const names: string[] = [];
  for (const value of values) {
    if (names.length % NAMED_AT_ONCE === 0) await takeTurn?.();
    names.push(nameOf(value));
  }
  return names;
}

async function nameAll(
  deps: Dependencies,
  envelope: ArchivedEnvelope,
  { superseded }: Options,
): Promise<NamedFile[]> {
  const files = envelope.submissions.filter(
    (file) => !unavailableReason(file) && (superseded || !file.superseded),
  );
  const described = descriptionOf(envelope);
  const values = files.map(({ documentName, fileName, mimeType, createdAt }) => ({
    ...described,
    document: documentName,
    date: createdAt.slice(0, "2026-03-14".length),
    original: nameByContent(fileName, mimeType),
  }));
  const taken = hasAnswers(envelope) ? [MANIFEST, ANSWERS_PAGE, ANSWERS_LIST] : [MANIFEST];
  const names = await nameInTurns(deps, envelope, values, taken);
  return files.map((file, index) => ({ envelope: described, file, name: names[index] ?? file.fileName }));
}

/** One folder name for each envelope, all different. */
function nameFolders(envelopes: readonly Description[]): string[] {
  const values = envelopes.map(({ id, recipient, subject }) => ({
    recipient: recipient.slice(0, MAX_FOLDER_PART),
    subject: subject.slice(0, MAX_FOLDER_PART),
    // Makes the documents of each envelope distinct, so that equal names are numbered by name alone.
    document: String(id),
    date: "",
    original: "",
  }));
  return nameFiles("{subject} - {recipient}", values, [MANIFEST, ANSWERS_LIST]);
}

const hasAnswers = (envelope: ArchivedEnvelope) => submittedAnswers(envelope).length > 0;

const questionsOf = ({ documents }: ArchivedEnvelope): string[] =>
  documents.flatMap(({ kind, name }) => (kind === "file" ? [] : [name]));

const descriptionOf = ({
  id,
  recipientName,
  customerEmail,
  subject,
  title,
}: Pick<ArchivedEnvelope, "id" | "recipientName" | "customerEmail" | "subject" | "title">): Description => ({
  id,
  recipient: recipientName ?? customerEmail,
  subject: subject ?? title,
});

async function startArchive(
  deps: Dependencies,
  caller: Caller,
  { files, answered }: { files: NamedFile[]; answered: AnsweredEnvelope[] },
  { columns, recorded, language }: Omit<Options, "superseded"> & { columns: readonly Column[] },
): Promise<ReadableStream<Uint8Array>> {
  if (files.length === 0 && answered.length === 0) throw appError("no_files");
  const now = deps.clock.now();
  if (recorded) recordDownload(deps, caller, files, now);
  const t = mailTextOf(await deps.loadMailTexts(language), language);
  const head = columns.map((column) => t(`manifest.${column}`));
  const separator = csvSeparator(language);
  const table = { columns, head, separator };
  return zipStream(allEntries());

  async function* allEntries() {
    if (answered.length > 0) yield* answerEntries(deps, caller, answered, { now, language, t });
    if (files.length > 0) yield* entries(deps, files, { table, now });
  }
}

/** The answers of each envelope as a page, and those of all as a list. */
async function* answerEntries(
  deps: Dependencies,
  member: Member,
  answered: AnsweredEnvelope[],
  { now, language, t }: { now: Date; language: Language; t: MailText },
): AsyncGenerator<ZipEntry> {
  const columns = new Map<string, string>();
  const envelopes = () =>
    archived(
      deps,
      member,
      answered.map(({ id }) => id),
    );
  const folders = new Map(answered.map(({ id, folder }) => [id, folder]));
  for await (const envelope of envelopes())
    yield {
      name: `${folders.get(envelope.id)}${ANSWERS_PAGE}`,
      input: answersPage(envelope, t, language),
      lastModified: now,
    };
  for (const { questions } of answered)
    for (const name of questions) if (!columns.has(documentKey(name))) columns.set(documentKey(name), name);
  const keys = [...columns.keys()];
  const separator = csvSeparator(language);
  async function* lines() {
    yield `\ufeff${csvLine([...headOf(t), ...columns.values()], separator)}`;
    for await (const envelope of envelopes()) yield csvLine(answerCells(envelope, keys, t), separator);
  }
  yield { name: ANSWERS_LIST, input: lines(), lastModified: now };
}

/** A hundred requests have ten thousand documents. */
const DOWNLOADS_AT_ONCE = 500;
/** Each may have thousands of events, all of which are read. A Worker's queries are counted. */
const ENVELOPES_AT_ONCE = { inTurn: 5, atOnce: 100 };

/** Adds the download to the log and, one entry for each document, to the timelines. */
function recordDownload(
  { db, log, background, takeTurn }: Dependencies,
  caller: Caller,
  files: NamedFile[],
  now: Date,
): void {
  const { userId, address } = caller;
  const envelopeIds = [...new Set(files.map(({ envelope }) => envelope.id))];
  log.info("archive downloaded", { userId, envelopeIds: envelopeIds.join(","), files: files.length });
  const byDocument = new Map(
    files.map(({ envelope, file: { documentName } }) => [
      `${envelope.id} ${documentName}`,
      { envelopeId: envelope.id, documentName },
    ]),
  );
  const downloads = [...byDocument.values()];
  const at = now.toISOString();
  background.run("download", async () => {
    const most = takeTurn ? ENVELOPES_AT_ONCE.inTurn : ENVELOPES_AT_ONCE.atOnce;
    for (let start = 0; start < downloads.length; ) {
      await takeTurn?.();
      const upTo = downloads.slice(start, start + DOWNLOADS_AT_ONCE);
      const ids = new Set<number>();
      const some = upTo.filter(({ envelopeId }) => ids.size <= most && ids.add(envelopeId).size <= most);
      start += some.length;
      await runBatch(db, insertDownloads(db, caller, { downloads: some, address, at }));
    }
  });
}

/**
 * The files and their manifest, which comes first unless a file lacks its hash: files stored before hashes were recorded
 * are hashed while they are streamed.
 */
async function* entries(
  deps: Dependencies,
  files: NamedFile[],
  { table, now }: { table: Table; now: Date },
): AsyncGenerator<ZipEntry> {
  const allHashed = files.every(({ file }) => file.sha256 !== null);
  const hashed: NamedFile[] = [];
  const manifestOf = (listed: NamedFile[]): ZipEntry => ({
    name: MANIFEST,
    input: manifest(deps, listed, table),
    lastModified: now,
  });
  if (allHashed) yield manifestOf(files);
  for (const named of files) {
    const { file, name } = named;
    const bytes = await deps.files.read(file.filePath);
    // An incomplete archive must not look complete, so the download is aborted.
    if (!bytes) throw new Error(`The file ${file.filePath} is missing from the store`);
    const entry = { name, size: file.fileSize, lastModified: new Date(file.createdAt) };
    if (file.sha256 !== null) {
      yield* fileEntry(bytes, entry);
      hashed.push(named);
    } else {
      const hash = deps.createSha256();
      yield* fileEntry(bytes, entry, (chunk) => hash.update(chunk));
      hashed.push({ ...named, file: { ...file, sha256: hash.digest() } });
    }
  }
  if (!allHashed) yield manifestOf(hashed);
}

/** The manifest of files of one envelope, by the names that they have elsewhere. */
export async function manifestText(
  deps: Dependencies,
  envelope: ArchivedEnvelope,
  files: readonly { file: File; name: string }[],
  { t, separator }: { t: MailText; separator: Table["separator"] },
): Promise<string> {
  const head = MANIFEST_COLUMNS.map((column) => t(`manifest.${column}`));
  const table = { columns: MANIFEST_COLUMNS, head, separator };
  const named = files.map((file) => ({ ...file, envelope: descriptionOf(envelope) }));
  return (await Array.fromAsync(manifest(deps, named, table))).join("");
}

const LINES_AT_ONCE = 1000;

type Table = { columns: readonly Column[]; head: readonly string[]; separator: "," | ";" };

async function* manifest(
  { takeTurn }: Dependencies,
  files: NamedFile[],
  { columns, head, separator }: Table,
) {
  yield `\ufeff${csvLine(head, separator)}`;
  for (let start = 0; start < files.length; start += LINES_AT_ONCE) {
    await takeTurn?.();
    yield files
      .slice(start, start + LINES_AT_ONCE)
      .map(({ envelope, file, name }) => {
        const cells: Record<Column, string | number> = {
          ...envelope,
          ...cellsOf(file),
          file: name,
        };
        return csvLine(
          columns.map((column) => cells[column]),
          separator,
        );
      })
      .join("");
  }
}

const cellsOf = ({ documentName, fileName, fileSize, sha256, createdAt }: File) => ({
  document: documentName,
  originalName: fileName,
  bytes: fileSize,
  sha256: sha256 ?? "",
  uploadedAt: createdAt,
});
