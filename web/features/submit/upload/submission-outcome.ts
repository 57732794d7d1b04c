import { isRecord } from "../../../lib/is-record";
import type { FileProblem } from "../files/check-file";
import { type RequestState, requestorName, toGoneState } from "../request/request-state";
import type { Answer, RecipientRequest } from "../request/submission-api";

export type SubmissionOutcome =
  | { kind: "accepted" }
  /** The link no longer takes files. */
  | { kind: "closed"; state: RequestState }
  /** The requestor has changed the list of documents. */
  | { kind: "outdated" }
  /** The server does not take this document's file; sending it again would fail again. */
  | { kind: "file refused"; document: string; problem: FileProblem["kind"] }
  | { kind: "failed" };

const OUTDATED = ["missing_documents", "unknown_document", "envelope_changed"];

const FILE_PROBLEMS: Record<string, FileProblem["kind"]> = {
  infected_file: "infected",
  file_content_mismatch: "content",
  file_type_not_allowed: "type",
  file_too_large: "size",
  empty_file: "empty",
};

/** What the server's answer to a submission means for the page. */
export function submissionOutcome(answer: Answer, request: RecipientRequest | null): SubmissionOutcome {
  if (answer.status === 201) return { kind: "accepted" };
  if (answer.status === 404) return { kind: "closed", state: { kind: "failed", answer } };
  const gone = answer.status === 410 ? toGoneState(answer.body) : null;
  if (gone) return { kind: "closed", state: withRequest(gone, request) };
  const { code, params } = isRecord(answer.body) ? answer.body : {};
  if (typeof code !== "string") return { kind: "failed" };
  if (OUTDATED.includes(code)) return { kind: "outdated" };
  const problem = Object.hasOwn(FILE_PROBLEMS, code) ? FILE_PROBLEMS[code] : undefined;
  const document = isRecord(params) ? params.document : undefined;
  const known = request?.documents.some(({ name }) => name === document);
  return problem && known && typeof document === "string"
    ? { kind: "file refused", document, problem }
    : { kind: "failed" };
}

/** Adds what the page knows of the request to an answer that does not name date or requestor. */
function withRequest(state: RequestState, request: RecipientRequest | null): RequestState {
  if (state.kind !== "expired" || !request) return state;
  const name = state.name ?? requestorName(request.user) ?? request.user.email;
  const { expirationDate, expiresAt, timeZone } = request;
  return state.date
    ? { ...state, name }
    : { kind: "expired", name, date: expirationDate, expiresAt, timeZone };
}
