import type { RecipientEnvelope } from "../../../db/queries/submissions";
import type { Brand } from "../../contract/brand";
import { TITLE_PREFIX } from "../../contract/product";
import type { Answer } from "../../contract/questions";
import { DEFAULT_TIME_ZONE } from "../../contract/time-zones";
import type { Dependencies } from "../../dependencies";
import { askedDocuments, conditionsOf, entryOf, recipientState } from "../envelope-rules/documents";
import { isOfEarlierRecipient } from "../envelope-rules/envelope-dates";
import { storedAvatar, storedLogo } from "../files/stored-images";
import { keptAnswers, type Offered } from "./answers";

/** What the recipient's view is made of. */
export type ViewedEnvelope = Omit<RecipientEnvelope, "id" | "userId" | "user"> & {
  user: Omit<RecipientEnvelope["user"], "disabledAt">;
};

/** The envelope as its recipient sees it: what is requested, by whom and until when. */
export async function recipientView(
  envelope: ViewedEnvelope,
  deps: Pick<Dependencies, "config" | "mailer" | "clock" | "secretBox">,
  /** Earlier answers of the same contact. */
  offered: ReadonlyMap<number, Offered> = new Map(),
) {
  const { config, mailer } = deps;
  const kept = await keptAnswers(deps, envelope);
  const shown = shownConditions(envelope);
  const { firstName, lastName, companyName, email, isVerified } = envelope.user;
  return {
    title: envelope.title,
    subject: envelope.subject,
    description: envelope.description,
    status: envelope.status,
    /** In which the page opens first; null for the browser's. */
    language: envelope.language,
    expirationDate: envelope.expirationDate,
    /** The end of that date in the requestor's time zone. */
    expiresAt: envelope.expiresAt,
    dueDate: envelope.dueDate,
    timeZone: envelope.timeZone ?? DEFAULT_TIME_ZONE,
    /** As the requestor has entered it, for the first step. What the recipient makes of it is not sent back. */
    recipient: {
      name: envelope.recipientName ?? envelope.title.replace(TITLE_PREFIX, ""),
      email: envelope.customerEmail,
    },
    user: {
      firstName,
      lastName,
      companyName,
      email,
      /** Null if no mail is sent, because then nobody can verify an address. */
      emailVerified: isVerified || (mailer.localOnly ? null : false),
      /** Whether `GET /api/submissions/{token}/picture` returns a picture. */
      hasPicture: storedAvatar(envelope.user) !== undefined,
    },
    brand: brandView(envelope),
    reminderNote: envelope.reminderNote,
    documents: envelope.documents.map((document) => ({
      ...entryOf(document),
      showIf: shown.get(document) ?? null,
      id: document.id,
      state: recipientState(document, envelope),
      /** Why it was returned. */
      reason: document.review === "returned" ? document.reviewReason : null,
      ...(document.kind === "file"
        ? { answered: false, answer: null, answeredBefore: false, questionChanged: false }
        : answerView(envelope, document, kept.get(document.id))),
      validUntil: validUntilOf(envelope, document, kept.get(document.id)),
      offered: offered.get(document.id) ?? null,
      files: envelope.uploads
        .filter(({ envelopeDocumentId }) => envelopeDocumentId === document.id)
        .map(stagedFileView),
    })),
    /** Maximum size of one file in bytes. */
    maxFileSize: config.maxFileBytes,
  };
}

/** The conditions of the documents, without those that are met by an answer that is not shown. */
function shownConditions(envelope: ViewedEnvelope) {
  const conditions = conditionsOf(envelope);
  if (envelope.recipientSince !== null)
    for (const document of askedDocuments(envelope, new Map())) conditions.set(document, null);
  return conditions;
}

/** Of a file, the kept day or the submitted one. */
function validUntilOf(
  envelope: ViewedEnvelope,
  { id, kind, validUntil }: RecipientEnvelope["documents"][number],
  kept: { value: Answer | null } | undefined,
): string | null {
  if (kind === "file" && kept) return String(kept.value);
  const file = envelope.submissions.findLast(({ requestDocumentId }) => requestDocumentId === id);
  return file && isOfEarlierRecipient(envelope, file.createdAt) ? null : validUntil;
}

/** The kept answer, otherwise the last one: of a returned question it has to be sent again. */
function answerView(
  envelope: ViewedEnvelope,
  { id, review, confidential }: RecipientEnvelope["documents"][number],
  kept: { value: Answer | null } | undefined,
) {
  const { answers } = envelope;
  const isSubmitted = ({ submittedAt, superseded }: (typeof answers)[number]) =>
    submittedAt !== null && !superseded && !isOfEarlierRecipient(envelope, submittedAt);
  const last = answers.findLast((row) => row.requestDocumentId === id && isSubmitted(row));
  const shown = kept ?? last;
  const isKept = answers.some(
    (row) => row.requestDocumentId === id && row.submittedAt === null && row.value !== null,
  );
  return {
    answered: kept !== undefined,
    answer: confidential ? null : (shown?.value ?? null),
    answeredBefore: review === "returned" && last !== undefined,
    questionChanged: isKept && kept === undefined,
  };
}

/** How the envelope's workspace looks; null where nothing is set. */
export function brandView({
  brand,
  submissionToken,
}: Pick<RecipientEnvelope, "brand" | "submissionToken">): Brand | null {
  const { name, color, footer } = brand;
  const stored = storedLogo(brand);
  const logo = stored
    ? {
        url: `/api/submissions/${encodeURIComponent(submissionToken)}/logo`,
        width: stored.width,
        height: stored.height,
        readableOn: brand.logoReadableOn,
        hasName: brand.logoHasName,
      }
    : null;
  return name || color || footer || logo ? { name, color, footer, logo } : null;
}

function stagedFileView({
  id,
  fileName,
  fileSize,
  offset,
  completedAt,
}: RecipientEnvelope["uploads"][number]) {
  // A complete file may still fail its checks. Until they are done, one byte less is reported.
  return { id, fileName, fileSize, uploadedBytes: completedAt ? fileSize : Math.min(offset, fileSize - 1) };
}
