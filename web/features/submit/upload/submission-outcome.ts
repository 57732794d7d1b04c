import { isRecord } from "../../../lib/is-record";
import type { FileProblem } from "../files/file-problem";
import {
  isSubmittedFile,
  type RequestState,
  requestorName,
  type Submission,
  toGoneState,
} from "../request/request-state";
import {
  type ApiResponse,
  codeOf,
  type RecipientRequest,
  type RequestedDocument,
} from "../request/submission-api";
import { problemOfCode } from "./upload-outcome";

export type SubmissionOutcome =
  | { kind: "accepted"; submission: Submission }
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

/** What the server's response to a submission means for the page. */
export function submissionOutcome(
  response: ApiResponse,
  request: RecipientRequest | null,
): SubmissionOutcome {
  if (response.status === 201) return { kind: "accepted", submission: toSubmission(response.body) };
  if (response.status === 404) return { kind: "closed", state: { kind: "failed", response } };
  const gone = response.status === 410 ? toGoneState(response.body) : null;
  if (gone) return { kind: "closed", state: withRequest(gone, request) };
  const code = codeOf(response);
  if (code === null) return { kind: "failed" };
  if (OUTDATED.includes(code)) return { kind: "outdated" };
  const problem = problemOfCode(code);
  const { params } = isRecord(response.body) ? response.body : {};
  const name = isRecord(params) ? params.document : undefined;
  const document = request?.documents.find((requested) => requested.name === name);
  return problem && document ? { kind: "file rejected", document, problem } : { kind: "failed" };
}

/** Adds what the page knows of the request to a response that does not name date or requestor. */
function withRequest(state: RequestState, request: RecipientRequest | null): RequestState {
  if (state.kind !== "expired" || !request) return state;
  const name = state.name ?? requestorName(request.user) ?? request.user.email;
  const { expirationDate, expiresAt, timeZone } = request;
  const known = { ...state, name, email: request.user.email };
  return state.date ? known : { ...known, date: expirationDate, expiresAt, timeZone };
}

function toSubmission(body: unknown): Submission {
  const { submittedAt, submissions } = isRecord(body) ? body : {};
  return {
    submittedAt: typeof submittedAt === "string" ? submittedAt : new Date().toISOString(),
    files: Array.isArray(submissions) ? submissions.filter(isSubmittedFile) : [],
  };
}
