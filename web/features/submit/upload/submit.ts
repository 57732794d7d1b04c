import type { ErrorCode } from "../../../../worker/contract/errors";
import { isRecord } from "../../../../worker/contract/is-record";
import { isFilled } from "../../../../worker/contract/patterns";
import type { RetryPolicy } from "../../../../worker/contract/retry-policy";
import { toast } from "../../../components/ui/toast-store";
import { retry } from "../../../lib/retry";
import {
  allFiles,
  type FileProblem,
  type FilesByDocument,
  fileProblem,
  filesOf,
  hasReason,
  isComplete,
  missingDocuments,
} from "../files/document-files";
import {
  answersForReceipt,
  answersToSubmit,
  askedOf,
  hasAnswers,
  incompleteOf,
  loadAnswers,
  saveAnswers,
  takeLate,
} from "../questions/answers";
import {
  isSubmittedFile,
  type LeftOut,
  type RequestState,
  requestorName,
  type Submission,
  type SubmittedAnswer,
  toGoneState,
  toRequestState,
} from "../request/request-state";
import {
  type ApiResponse,
  callServer,
  codeOf,
  fetchRequest,
  isDeadLink,
  isReceived,
  type RecipientRequest,
  type RequestedDocument,
  submissionUrl,
} from "../request/submission-api";
import { shownLanguage } from "../translation/shown-language";
import type { Texts } from "../translation/use-texts";
import type { WizardState, WizardStore } from "../wizard/wizard-state";
import type { ConnectedUploads } from "./connect-uploads";
import { problemOfCode } from "./upload-outcome";

type SubmitOptions = WizardStore & {
  token: string;
  uploads: ConnectedUploads;
  onState: (state: RequestState) => void;
  onDone: (submission: Submission) => void;
};

/** What the page shows when Submit is pressed. */
type Shown = {
  request: RecipientRequest;
  texts: Texts;
  onError: (title: string, text: string) => void;
};

export type Submitting = ReturnType<typeof createSubmitting>;

/** Submits the uploads once all of them are complete, and handles the server's response. */
export function createSubmitting(options: SubmitOptions) {
  const { token, uploads, dispatch, current } = options;
  let attempt = 0;
  let wasLost = false;
  const incomplete = ({ documents }: RecipientRequest) => incompleteIn(current(), documents);
  return {
    /** What has to be complete before the last step: files that are asked, and questions without a right answer. */
    incomplete,
    async submit(shown: Shown): Promise<void> {
      const { request, texts, onError } = shown;
      const { toasts, rejections } = texts;
      if (!isComplete(current().documents, incomplete(request))) return showIncomplete(options, shown);
      if (isEmpty(current()) && !hasAnswers(request.documents))
        return onError(toasts.failedTitle, rejections.nothing_to_submit);
      attempt += 1;
      const mine = attempt;
      dispatch({ type: "submission started" });
      const before = allFiles(current().documents).length;
      await Promise.all([uploads.idle(), saveAnswers()]);
      if (mine !== attempt) return;
      if (allFiles(current().documents).length < before) {
        // A file was rejected.
        end(options);
        dispatch({ type: "step back" });
        return onError(toasts.failedTitle, toasts.failedText);
      }
      const latest = await checkCurrent(options, shown, wasLost);
      if (!latest || mine !== attempt) return;
      if (takeLate(latest.documents)) {
        end(options);
        dispatch({ type: "step back" });
        return onError(toasts.failedTitle, rejections.envelope_changed);
      }
      dispatch({ type: "submission sent" });
      const sent = await send(token, current(), latest);
      wasLost ||= sent.wasLost;
      await showOutcome(options, { ...shown, request: latest }, { response: sent.response, wasLost });
    },
    cancel() {
      attempt += 1;
      end(options);
    },
  };
}

/** Which documents `isComplete` has to know. */
const incompleteIn = ({ documents: files }: WizardState, documents: readonly RequestedDocument[]) =>
  incompleteOf(
    documents,
    (document) => hasReason(files, document),
    ({ id }) => filesOf(files, id).files.length > 0,
  );

function end({ dispatch }: SubmitOptions, failure: ApiResponse | null = null): void {
  dispatch({ type: "submission ended", failure });
}

/** Marks what is missing, and says so. */
function showIncomplete({ dispatch, current }: SubmitOptions, { request, texts, onError }: Shown): void {
  const documents = incompleteIn(current(), request.documents);
  const { toasts } = texts;
  const missing = missingDocuments(current().documents, documents).length > 0;
  dispatch({ type: "documents submitted", documents });
  if (missing) onError(toasts.missingTitle, toasts.missingText);
  else onError(toasts.failedTitle, texts.rejections.uploads_unfinished);
}

/**
 * Shows the server's state if another device has changed it, or an earlier call has submitted. Answers of other devices
 * are taken as they are. @returns the request as the server has it, if it can be submitted
 */
async function checkCurrent(
  options: SubmitOptions,
  shown: Shown,
  wasLost: boolean,
): Promise<RecipientRequest | null> {
  const { token, dispatch, current, onState } = options;
  const { request, texts, onError } = shown;
  const { toasts, rejections } = texts;
  const response = await untilResponse(() => fetchRequest(token));
  const state = toRequestState(response);
  if (state.kind === "failed") {
    end(options, state.response);
    onError(toasts.failedTitle, toasts.failedText);
    return null;
  }
  if (state.kind === "completed" && wasLost) {
    await showOutcome(options, shown, { response, wasLost });
    return null;
  }
  onState(state);
  if (state.kind !== "ready") {
    end(options);
    return null;
  }
  const { documents } = state.request;
  loadAnswers(token, documents);
  const isWhole = () => isComplete(current().documents, incompleteIn(current(), documents));
  if (isInSync(current().documents, request.documents, documents) && isWhole()) return state.request;
  end(options);
  dispatch({ type: "request loaded", ...state.request });
  if (isWhole()) onError(toasts.failedTitle, rejections.envelope_changed);
  else showIncomplete(options, { ...shown, request: state.request });
  return null;
}

/** Shows the outcome of a submission. */
async function showOutcome(options: SubmitOptions, shown: Shown, { response, wasLost }: Sent): Promise<void> {
  const { uploads, dispatch, current, onState, onDone } = options;
  const { request, texts, onError } = shown;
  const { toasts } = texts;
  const outcome = submissionOutcome(response, request, wasLost);
  end(options, failureOf(outcome, response));
  if (outcome.kind === "accepted") {
    toast({ title: toasts.doneTitle, text: toasts.doneText });
    // The link is completed: by the call whose response was lost, or by another device with other answers.
    if (response.status !== 201) return onDone(outcome.submission);
    const answers = answersForReceipt(request.documents);
    return onDone({
      ...outcome.submission,
      answers,
      left: leftOut(current(), request.documents, answers),
    });
  }
  if (outcome.kind === "closed" && outcome.state.kind !== "failed") return onState(outcome.state);
  if (outcome.kind === "file rejected") {
    const { document, problem } = outcome;
    const [file] = filesOf(current().documents, document.id).files;
    dispatch({ type: "choice rejected", documentId: document.id, problem: fileProblem(problem, file) });
    dispatch({ type: "step back" });
  }
  onError(toasts.failedTitle, toasts.failedText);
  if (outcome.kind === "closed") onState(outcome.state);
  if (outcome.kind === "outdated") await uploads.refresh();
}

/** What the last step says of it: another device may have given what is left out here, an answer too. */
function failureOf({ kind }: SubmissionOutcome, response: ApiResponse): ApiResponse | null {
  if (kind === "outdated" && codeOf(response) === ("document_has_file" satisfies ErrorCode))
    return { ...response, body: { code: "envelope_changed" satisfies ErrorCode } };
  return kind === "failed" || kind === "outdated" ? response : null;
}

/** What was asked and not submitted. */
function leftOut(
  { documents: files }: WizardState,
  documents: readonly RequestedDocument[],
  answers: readonly SubmittedAnswer[],
): LeftOut[] {
  return [...askedOf(documents)].flatMap((document) => {
    const { id, name, kind, state } = document;
    const { files: sent, skipped, skipReason } = filesOf(files, id);
    const isSent = sent.length > 0 || answers.some((answer) => answer.name === name);
    if (isSent || isReceived(document)) return [];
    return { name, kind, skipped: skipped || state === "skipped", skipReason: skipReason.trim() };
  });
}

function isEmpty({ documents, note }: WizardState): boolean {
  return (
    ![...documents.values()].some(({ files, skipped }) => files.length > 0 || skipped) && !isFilled(note)
  );
}

/** While a server restarts, a proxy may respond in its place. */
const SUBMIT_RETRIES: RetryPolicy = { delays: [500, 1000, 2000], givesUp: true };

/** Calls the server until it responds, for a few seconds. */
function untilResponse(call: () => Promise<ApiResponse>): Promise<ApiResponse> {
  let last: ApiResponse;
  const work = async () => {
    last = await call();
    if (last.status === 0) throw new Error("No response");
    return last;
  };
  return retry(work, { policy: SUBMIT_RETRIES }).catch(() => last);
}

/** `wasLost`: there was no response to a call, which may have submitted. */
type Sent = { response: ApiResponse; wasLost: boolean };

async function send(
  token: string,
  { documents: files, note }: WizardState,
  { documents }: RecipientRequest,
): Promise<Sent> {
  const answers = answersToSubmit(documents);
  const skipped = documents.flatMap((document) => {
    const { skipped, skipReason } = filesOf(files, document.id);
    // An answer takes the place of a reason.
    if (!skipped || isReceived(document) || hasAnswers([document])) return [];
    return [{ documentId: document.id, reason: skipReason.trim() || null }];
  });
  const given = Object.keys(answers).length > 0 && { answers };
  const body = { note: note.trim() || null, skipped, ...given, language: shownLanguage() };
  let calls = 0;
  const response = await untilResponse(() => {
    calls += 1;
    return callServer(`${submissionUrl(token)}/submit`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
  });
  return { response, wasLost: calls > 1 || response.status === 0 };
}

/** Whether the lists match the server's: the same documents with the same complete files. */
export function isInSync(
  all: FilesByDocument,
  shown: readonly RequestedDocument[],
  stored: readonly RequestedDocument[],
): boolean {
  const describe = (documents: readonly RequestedDocument[]) =>
    JSON.stringify(
      documents.map(
        ({
          files: _,
          state: _state,
          answered: _answered,
          answer: _answer,
          questionChanged: _questionChanged,
          offered: _offered,
          validUntil: _validUntil,
          ...requested
        }) => requested,
      ),
    );
  return (
    describe(shown) === describe(stored) &&
    stored.every(({ id, files }) => {
      const listed = filesOf(all, id).files;
      return (
        listed.length === files.length &&
        files.every((file) => listed.some(({ uploadId }) => uploadId === file.id)) &&
        files.every(({ uploadedBytes, fileSize }) => uploadedBytes >= fileSize)
      );
    })
  );
}

type SubmissionOutcome =
  | { kind: "accepted"; submission: Submission }
  /** The link no longer takes files. */
  | { kind: "closed"; state: RequestState }
  /** The requestor has changed the list of documents, or another device the files. */
  | { kind: "outdated" }
  /** The server does not take this document's file; sending it again would fail again. */
  | { kind: "file rejected"; document: RequestedDocument; problem: FileProblem["kind"] }
  | { kind: "failed" };

const OUTDATED: readonly string[] = [
  "missing_documents",
  "missing_valid_until",
  "unknown_document",
  "envelope_changed",
  "uploads_unfinished",
  "document_has_file",
  "duplicate_document",
  "document_answered",
  "invalid_answer",
] satisfies ErrorCode[];

/** What the server's response to a submission means for the page. */
export function submissionOutcome(
  response: ApiResponse,
  request: RecipientRequest | null,
  wasLost = false,
): SubmissionOutcome {
  if (response.status === 201 && isRecord(response.body))
    return { kind: "accepted", submission: toSubmission(response.body) };
  const gone = toGoneState(response);
  if (gone?.kind === "completed" && gone.submission && wasLost)
    return { kind: "accepted", submission: gone.submission };
  if (gone) return { kind: "closed", state: withRequest(gone, request) };
  const code = codeOf(response);
  if (code === null) return { kind: "failed" };
  if (isDeadLink(response)) return { kind: "closed", state: { kind: "failed", response } };
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
