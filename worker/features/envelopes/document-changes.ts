import type { Statement } from "../../../db/client";
import {
  deleteEnvelopeDocuments,
  insertEnvelopeDocuments,
  updateEnvelopeDocument,
} from "../../../db/queries/envelope-documents";
import type { FullEnvelope } from "../../../db/queries/envelopes";
import { documentKey } from "../../contract/document-names";
import type { EnvelopeInput } from "../../contract/envelopes";
import type { Dependencies } from "../../dependencies";
import { appError } from "../../errors";

/**
 * A document that keeps its name keeps its row and id.
 * @throws AppError `document_has_submission` if a submitted document would be removed or renamed
 */
export function replaceDocuments(
  { db }: Dependencies,
  stored: FullEnvelope,
  { documents, now }: { documents: EnvelopeInput["documents"]; now: string },
): Statement[] {
  const rest = [...stored.documents];
  const requireNoFile = ({ id, name }: { id: number; name: string }) => {
    if (stored.submissions.some(({ requestDocumentId }) => requestDocumentId === id))
      throw appError("document_has_submission", { params: { document: name } });
  };
  const changed: Statement[] = [];
  const added: ReturnType<typeof withPositions> = [];
  for (const entry of withPositions(documents)) {
    const existing = sameDocument(rest, entry.name);
    if (existing) rest.splice(rest.indexOf(existing), 1);
    if (existing && existing.name !== entry.name) requireNoFile(existing);
    if (existing) changed.push(updateEnvelopeDocument(db, stored.id, existing.id, entry));
    else added.push(entry);
  }
  rest.forEach(requireNoFile);
  return [
    ...deleteEnvelopeDocuments(
      db,
      stored.id,
      rest.map(({ id }) => id),
      now,
    ),
    ...changed,
    ...insertEnvelopeDocuments(db, stored.id, added),
  ];
}

/** Older envelopes may have two documents whose names differ only in case or Unicode form. */
const sameDocument = <D extends { name: string }>(documents: readonly D[], name: string): D | undefined =>
  documents.find((one) => one.name === name) ??
  documents.find((one) => documentKey(one.name) === documentKey(name));

/** The documents of an input, each with its position. */
export const withPositions = (entries: EnvelopeInput["documents"]) =>
  entries.map((entry, position) => ({ ...entry, position }));
