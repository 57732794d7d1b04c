import type { FullEnvelope } from "../../../db/queries/envelopes";
import type { User } from "../../../db/queries/users";
import { envelopeOf, type RecipientInput, type SharedInput } from "../../contract/bulk-sends";
import { documentKey, sameDocumentFinder } from "../../contract/document-names";
import type { EnvelopeInput } from "../../contract/envelopes";
import type { Issue } from "../../contract/error-body";
import { LIMITS, SERVER_LIMITS } from "../../contract/limits";
import { MESSAGES } from "../../contract/messages";
import { isUnsent } from "../../contract/options";
import {
  fillColumns,
  fillPlaceholders,
  fillTexts,
  isLongerThan,
  type MissingPlaceholders,
  type PlaceholderSource,
  placeholderValues,
  typedPlaceholders,
} from "../../contract/placeholders";
import { dayIn } from "../../contract/time-zones";
import { appError, validationError } from "../../errors";
import { bytesWith } from "./envelope-fields";

type Filling = {
  contact: PlaceholderSource["contact"];
  requestor: Pick<User, "languagePreference" | "timeZone">;
  now: Date;
  /** The day that placeholders mean; by default that of `now`. */
  day?: string | undefined;
  /** The envelope that the input replaces: what was sent is filled already. */
  stored?: FullEnvelope;
  /** The recipient's row of a list. */
  column?: PlaceholderSource["column"];
  /** Is called with the filled texts, whether they are valid or not. May throw. */
  count?: ((texts: EnvelopeInput) => void) | undefined;
};

/** The input with its placeholders replaced, as far as they have values. */
export function fillEnvelope(
  input: EnvelopeInput,
  { contact, requestor, now, day, stored, column }: Filling,
) {
  const sent = stored && !isUnsent(stored.status) ? stored : undefined;
  const values = placeholderValues({
    recipientName: input.recipientName,
    contact,
    dueDate: input.dueDate,
    day: day ?? (input.sendOn || dayIn(requestor.timeZone, now)),
    language: input.language ?? requestor.languagePreference,
    column,
  });
  const keys = new Set(input.documents.map(({ name }) => documentKey(name)));
  const renamed = sent?.documents.filter(({ name }) => !keys.has(documentKey(name))) ?? [];
  const sentOf = sameDocumentFinder(sent?.documents ?? []);
  return fillTexts(input, values, (field, text) => {
    if (!sent) return false;
    if (typeof field !== "number") return sent[field] === text;
    // A document keeps the description of the stored one of its name or, if there is none, of one that was renamed.
    const stored = sentOf(input.documents[field]?.name ?? "");
    return (stored ? [stored] : renamed).some(({ description }) => description === text);
  });
}

/**
 * The input of an envelope that is sent, with its placeholders replaced.
 * @throws AppError `missing_placeholder`, `validation` if a text is too long afterwards
 */
export function requireFilled(input: EnvelopeInput, filling: Filling): EnvelopeInput {
  const { texts, missing } = fillEnvelope(input, filling);
  filling.count?.(texts);
  if (missing.length > 0) throw missingPlaceholders(missing);
  const issues = tooLongTexts(texts, input);
  if (issues.length > 0) throw validationError(issues);
  return texts;
}

/** A text can have a thousand, and a bulk send five hundred such texts. */
const MAX_NAMED = 20;

/** The error that names the placeholders without a value, with an issue for each field that has some. */
function missingPlaceholders(missing: readonly MissingPlaceholders[]) {
  const named = (names: readonly string[]) => typedPlaceholders(names.slice(0, MAX_NAMED));
  const params = { names: named(missing.flatMap(({ names }) => names)) };
  const issues = missing.map(({ path, names }) => ({
    path,
    message: appError("missing_placeholder", { params: { names: named(names) } }).message,
  }));
  return appError("missing_placeholder", { params, issues });
}

const jsonBytes = ({
  subject,
  message,
  documents,
}: Pick<EnvelopeInput, "subject" | "message" | "documents">) =>
  bytesWith({ subject, message, documents: [] }, documents);

/** Which filled texts are longer than what may be stored. */
function tooLongTexts({ subject, message, documents }: EnvelopeInput, typed: EnvelopeInput): Issue[] {
  // Counted as when they were typed.
  const isLong = (text: string | null, max: number) => text !== null && isLongerThan(text, max);
  const paths = [
    ...(isLong(subject, LIMITS.subject) ? ["subject"] : []),
    ...(isLong(message, LIMITS.text) ? ["message"] : []),
    ...documents.flatMap(({ description }, index) =>
      isLong(description, LIMITS.text) ? [`documents.${index}.description`] : [],
    ),
  ];
  // As much as a call that edits it takes.
  const bytes = paths.length === 0 ? jsonBytes({ subject, message, documents }) : 0;
  if (bytes > SERVER_LIMITS.jsonBody && bytes > jsonBytes(typed)) paths.push("documents");
  return paths.map((path) => ({ path, message: MESSAGES.filledTooLong }));
}

/** A recipient of a bulk send, with what placeholders say of the contact. */
export type StoredRecipient = RecipientInput & { contact: PlaceholderSource["contact"] };

type BulkFilling = Pick<Filling, "now" | "day" | "count"> & { requestor: User; columns: ReadonlySet<string> };

/** The columns of all recipients: of one that only others have, a recipient lacks the value. */
export const columnsOf = (recipients: readonly RecipientInput[]): ReadonlySet<string> =>
  new Set(recipients.flatMap(({ values }) => Object.keys(values ?? {})));

/** The envelope of one recipient with its placeholders replaced. @throws AppError `missing_placeholder`, `validation` */
export function filledFor(
  shared: SharedInput,
  { contact, ...recipient }: StoredRecipient,
  { requestor, now, day, columns, count }: BulkFilling,
): EnvelopeInput {
  return requireFilled(envelopeOf(shared, recipient), {
    ...{ contact, requestor, now, day, count, column: columnFor(recipient, columns) },
  });
}

/** The subject that names a bulk send: "…" stands for what differs between recipients, and for what is unknown. */
export function sharedSubject(
  { subject, dueDate, sendOn, language }: SharedInput,
  { requestor, now, day }: Pick<Filling, "requestor" | "now" | "day">,
): string {
  const values = placeholderValues({
    ...{ recipientName: null, contact: null, dueDate },
    day: day ?? (sendOn || dayIn(requestor.timeZone, now)),
    language: language ?? requestor.languagePreference,
  });
  return fillPlaceholders(subject ?? "", { get: (name) => values.get(name) || "…" }, LIMITS.subject).text;
}

/** The same of what is sent later: only the placeholders of columns, whose values the envelope does not have. */
export function withColumns(
  shared: SharedInput,
  { contact: _, ...recipient }: StoredRecipient,
  columns: ReadonlySet<string>,
): EnvelopeInput {
  const envelope = envelopeOf(shared, recipient);
  const fill = (text: string | null) => text && fillColumns(text, columnFor(recipient, columns));
  return {
    ...envelope,
    ...{ subject: fill(envelope.subject), message: fill(envelope.message) },
    documents: envelope.documents.map((entry) => ({ ...entry, description: fill(entry.description) })),
  };
}

const columnFor =
  ({ values }: RecipientInput, columns: ReadonlySet<string>) =>
  (name: string) =>
    columns.has(name) ? (values && Object.hasOwn(values, name) && values[name]) || "" : undefined;
