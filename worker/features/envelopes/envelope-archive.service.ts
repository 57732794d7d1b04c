import { runBatch } from "../../../db/client";
import { type Caller, insertDownload } from "../../../db/queries/envelope-events";
import type { FullEnvelope } from "../../../db/queries/envelopes";
import { findWorkspace } from "../../../db/queries/workspaces";
import { DEFAULT_FILE_NAME_RULE, nameFiles } from "../../contract/file-name-rule";
import type { Dependencies } from "../../dependencies";
import { appError } from "../../errors";
import { csvLine } from "../../lib/csv";
import { withheldReason } from "../../lib/withheld";
import { fileEntry, type ZipEntry, zipStream } from "../../lib/zip";
import { requireEnvelope } from "./envelopes.service";

const MANIFEST = "manifest.csv";
const MANIFEST_HEAD = ["document", "file", "original name", "bytes", "sha256", "uploaded at"];

type File = FullEnvelope["submissions"][number];
type NamedFile = { file: File; name: string };

/**
 * The submitted files of an envelope as a ZIP archive with a manifest, named by the rule of its workspace.
 * @returns the archive and the name to save it under
 * @throws AppError `envelope_not_found`; `no_files` where there is no file to be had
 */
export async function archiveEnvelope(
  deps: Dependencies,
  { userId, address }: Caller,
  id: number,
  { superseded }: { superseded: boolean },
): Promise<{ archive: ReadableStream<Uint8Array>; name: string }> {
  const { db, clock } = deps;
  const envelope = await requireEnvelope(deps, userId, id);
  const included = envelope.submissions.filter(
    (file) => !withheldReason(file) && (superseded || !file.superseded),
  );
  if (included.length === 0) throw appError("no_files");
  const workspace = await findWorkspace(db, userId, envelope.workspaceId);
  const files = nameAll(workspace?.fileNameRule ?? DEFAULT_FILE_NAME_RULE, envelope, included);
  const at = clock.now();
  deps.background.run("download", () =>
    runBatch(
      db,
      [...new Set(included.map(({ documentName }) => documentName))].map((documentName) =>
        insertDownload(db, userId, { envelopeId: id, documentName, address, at: at.toISOString() }),
      ),
    ),
  );
  const [name = ""] = nameFiles("{subject} - {recipient}", [
    { ...factsOf(envelope), document: "", date: "", original: "archive.zip" },
  ]);
  return { archive: zipStream(entries(deps, files, at)), name };
}

function nameAll(rule: string, envelope: FullEnvelope, files: File[]): NamedFile[] {
  const facts = files.map(({ documentName, fileName, createdAt }) => ({
    ...factsOf(envelope),
    document: documentName,
    date: createdAt.slice(0, "2026-03-14".length),
    original: fileName,
  }));
  const names = nameFiles(rule, facts, [MANIFEST]);
  return files.map((file, index) => ({ file, name: names[index] ?? file.fileName }));
}

const factsOf = ({ recipientName, customerEmail, subject, title }: FullEnvelope) => ({
  recipient: recipientName ?? customerEmail,
  subject: subject ?? title,
});

async function* entries(deps: Dependencies, files: NamedFile[], now: Date): AsyncGenerator<ZipEntry> {
  yield { name: MANIFEST, input: manifest(files), lastModified: now };
  for (const { file, name } of files) {
    const bytes = await deps.files.read(file.filePath);
    // An archive that lacks a file must not look whole: it breaks off.
    if (!bytes) throw new Error(`The file ${file.filePath} is missing from the store`);
    yield* fileEntry(bytes, { name, size: file.fileSize, lastModified: new Date(file.createdAt) });
  }
}

function manifest(files: NamedFile[]): string {
  const lines = files.map(({ file, name }) =>
    csvLine([file.documentName, name, file.fileName, file.fileSize, file.sha256 ?? "", file.createdAt]),
  );
  return `\ufeff${csvLine(MANIFEST_HEAD)}${lines.join("")}`;
}
