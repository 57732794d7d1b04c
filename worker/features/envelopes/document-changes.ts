import type { Statement } from "../../../db/client";
import {
  deleteEnvelopeDocuments,
  insertEnvelopeDocuments,
  updateEnvelopeDocument,
} from "../../../db/queries/envelope-documents";
import type { FullEnvelope } from "../../../db/queries/envelopes";
import { documentKey } from "../../contract/documents";
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
    const index = rest.findIndex(({ name }) => documentKey(name) === documentKey(entry.name));
    const [existing] = index < 0 ? [] : rest.splice(index, 1);
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

/** The documents of an input, each with its position. */
export const withPositions = (entries: EnvelopeInput["documents"]) =>
  entries.map((entry, position) => ({ ...entry, position }));
