import type { Destination } from "../../../db/queries/destinations";
import { type DeliveredEnvelope, findEnvelopeForDelivery } from "../../../db/queries/envelope-archive";
import { type ClaimedFile, listDeliveredPaths } from "../../../db/queries/file-claims";
import { csvSeparator } from "../../contract/csv-separator";
import { deliveryPath } from "../../contract/delivery-path";
import { TITLE_PREFIX } from "../../contract/product";
import { wallTime } from "../../contract/time-zones";
import type { Dependencies } from "../../dependencies";
import { nameByContent } from "../../lib/file-names";
import type { ByteRange } from "../../ports/file-store";
import { submittedAnswers } from "../envelopes/answers.service";
import { answersPage } from "../envelopes/answers-page";
import { manifestText, nameInTurns } from "../envelopes/envelope-archive.service";
import type { Addressee } from "../envelopes/envelopes.service";
import { mailTextOf } from "../notifications/mail-texts";

/** What a delivery sends, and where to. */
export type Content = {
  folder: string[];
  name: string;
  size: number;
  mimeType: string;
  sha256: string;
  read(range?: ByteRange): Promise<ReadableStream<Uint8Array>>;
};

const DAY_LENGTH = "2026-03-14".length;

/**
 * The file or page of a delivery, under the name that the rules give it.
 * @returns null if there is nothing to deliver any more
 */
export async function contentOf(
  deps: Dependencies,
  delivery: ClaimedFile,
  {
    workspaceId,
    folderRule,
    deliveredWhen,
  }: Pick<Destination, "workspaceId" | "folderRule" | "deliveredWhen">,
): Promise<Content | null> {
  const stored = await findEnvelopeForDelivery(deps.db, workspaceId, delivery, deps.takeTurn);
  if (!stored) return null;
  const envelope = { ...stored, ...(stored.earlier && recipientOf(stored.earlier)) };
  const found = delivery.page
    ? await pageOf(deps, envelope, { delivery, deliveredWhen })
    : await fileOf(deps, envelope, delivery);
  if (!found) return null;
  const { fileName, ...content } = found;
  const { contact, subject, title, recipientName, customerEmail } = envelope;
  const values = {
    folder: contact?.folder ?? null,
    recipient: recipientName ?? customerEmail,
    company: contact?.company ?? "",
    subject: subject ?? title,
    template: envelope.template ?? "",
    workspace: envelope.workspace,
    date: dayOf(envelope, delivery),
  };
  return { ...content, ...deliveryPath(folderRule, values, fileName) };
}

/** Who has submitted it, where the envelope goes to somebody else now. */
function recipientOf(earlier: string) {
  const { name, addresses }: Addressee = JSON.parse(earlier);
  const customerEmail = addresses.find(({ channel }) => channel === "email")?.recipient ?? "";
  return { recipientName: name, customerEmail, title: TITLE_PREFIX + (name ?? customerEmail) };
}

/** The day of the submission in the assignee's time zone. */
const dayOf = ({ assignee }: DeliveredEnvelope, { submittedAt }: ClaimedFile) =>
  wallTime(assignee.timeZone, new Date(submittedAt)).slice(0, DAY_LENGTH);

async function fileOf(deps: Dependencies, envelope: DeliveredEnvelope, delivery: ClaimedFile) {
  const together = envelope.submissions;
  const index = together.findIndex(({ id }) => id === delivery.submissionId);
  const file = together[index];
  if (!file || file.deletedAt !== null) return null;
  const values = together.map(({ documentName, fileName, mimeType }) => ({
    recipient: envelope.recipientName ?? envelope.customerEmail,
    subject: envelope.subject ?? envelope.title,
    document: documentName,
    date: dayOf(envelope, delivery),
    original: nameByContent(fileName, mimeType),
  }));
  const names = await nameInTurns(deps, envelope, values);
  const read = async (range?: ByteRange) => {
    const bytes = await deps.files.read(file.filePath, range);
    if (!bytes) throw new Error(`The file ${file.filePath} is missing from the store`);
    return bytes;
  };
  return {
    fileName: names[index] ?? file.fileName,
    size: file.fileSize,
    mimeType: file.mimeType,
    sha256: file.sha256 ?? (await sha256Of(deps, await read())),
    read,
  };
}

async function pageOf(
  deps: Dependencies,
  envelope: DeliveredEnvelope,
  { delivery, deliveredWhen }: Pick<Destination, "deliveredWhen"> & { delivery: ClaimedFile },
) {
  const { language } = envelope.assignee;
  const t = mailTextOf(await deps.loadMailTexts(language), language);
  const isManifest = delivery.page === "manifest.csv";
  const answered = deliveredWhen === "accepted" ? acceptedOf(envelope) : answeredThen(envelope);
  if (!isManifest && submittedAnswers(answered).length === 0) return null;
  const text = isManifest
    ? await manifestText(deps, envelope, await namedFiles(deps, envelope, delivery), {
        t,
        separator: csvSeparator(language),
      })
    : answersPage({ ...answered, completedAt: delivery.submittedAt }, t, language);
  const bytes = new TextEncoder().encode(text);
  return {
    fileName: delivery.page ?? "",
    size: bytes.length,
    mimeType: isManifest ? "text/csv; charset=utf-8" : "text/html; charset=utf-8",
    sha256: await sha256Of(deps, new Blob([bytes]).stream()),
    read: async (range?: ByteRange) =>
      new Blob([range ? bytes.subarray(range.offset, range.offset + range.length) : bytes]).stream(),
  };
}

/** The delivered files of the submission, by the names that they have there. */
async function namedFiles(deps: Dependencies, { submissions }: DeliveredEnvelope, delivery: ClaimedFile) {
  const files = new Map(submissions.map((file) => [file.id, file]));
  return (await listDeliveredPaths(deps.db, delivery)).flatMap(({ submissionId, path }) => {
    const file = files.get(submissionId ?? 0);
    return file ? [{ file, name: path?.split("/").at(-1) ?? file.fileName }] : [];
  });
}

/** The envelope with the answers of this submission, whether others have replaced them since. */
const answeredThen = (envelope: DeliveredEnvelope): DeliveredEnvelope => ({
  ...envelope,
  answers: envelope.answers.map((answer) => ({ ...answer, superseded: false })),
});

/** The envelope with the answers of this submission that are accepted now: nobody has accepted one that was replaced. */
const acceptedOf = (envelope: DeliveredEnvelope): DeliveredEnvelope => ({
  ...envelope,
  documents: envelope.documents.filter(({ review }) => review === "accepted"),
});

async function sha256Of({ createSha256 }: Dependencies, bytes: ReadableStream<Uint8Array>): Promise<string> {
  const hash = createSha256();
  for await (const chunk of bytes) hash.update(chunk);
  return hash.digest();
}
