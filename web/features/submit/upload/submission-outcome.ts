import { isRecord } from "../../../lib/is-record";
import type { FileProblem } from "../files/file-problem";
import { type RequestState, requestorName, toGoneState } from "../request/request-state";
import {
  type Answer,
  codeOf,
  type RecipientRequest,
  type RequestedDocument,
} from "../request/submission-api";
import { type Receipt, toReceipt } from "./receipt";

export type SubmissionOutcome =
  | { kind: "accepted"; receipt: Receipt }
  /** The link no longer takes files. */
  | { kind: "closed"; state: RequestState }
  /** The requestor has changed the list of documents, or another device the files. */
  | { kind: "outdated" }
  /** The server does not take this document's file; sending it again would fail again. */
  | { kind: "file rejected"; document: RequestedDocument; problem: FileProblem["kind"] }
  | { kind: "failed" };

const OUTDATED = [
  "missing_documents",
  "unknown_document",
  "envelope_changed",
  "uploads_unfinished",
  "document_has_file",
  "duplicate_document",
];

const FILE_PROBLEMS: Record<string, FileProblem["kind"]> = {
  infected_file: "infected",
  file_content_mismatch: "content",
  file_type_not_allowed: "type",
  file_too_large: "size",
  empty_file: "empty",
};

/** What the server's answer to a submission means for the page. */
export function submissionOutcome(answer: Answer, request: RecipientRequest | null): SubmissionOutcome {
  if (answer.status === 201) return { kind: "accepted", receipt: toReceipt(answer.body) };
  if (answer.status === 404) return { kind: "closed", state: { kind: "failed", answer } };
  const gone = answer.status === 410 ? toGoneState(answer.body) : null;
  if (gone) return { kind: "closed", state: withRequest(gone, request) };
  const code = codeOf(answer);
  if (code === null) return { kind: "failed" };
  if (OUTDATED.includes(code)) return { kind: "outdated" };
  const problem = Object.hasOwn(FILE_PROBLEMS, code) ? FILE_PROBLEMS[code] : undefined;
  const { params } = isRecord(answer.body) ? answer.body : {};
  const name = isRecord(params) ? params.document : undefined;
  const document = request?.documents.find((requested) => requested.name === name);
  return problem && document ? { kind: "file rejected", document, problem } : { kind: "failed" };
}

/** Adds what the page knows of the request to an answer that does not name date or requestor. */
function withRequest(state: RequestState, request: RecipientRequest | null): RequestState {
  if (state.kind !== "expired" || !request) return state;
  const name = state.name ?? requestorName(request.user) ?? request.user.email;
  const { expirationDate, expiresAt, timeZone } = request;
  return state.date
    ? { ...state, name, email: request.user.email }
    : { kind: "expired", name, email: request.user.email, date: expirationDate, expiresAt, timeZone };
}
