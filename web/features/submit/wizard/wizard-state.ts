import { hasForeignMailbox, isEmailAddress, normalizeAddress } from "../../../../worker/contract/patterns";
import {
  addFile,
  allFiles,
  changeFile,
  type FileEntry,
  type FileProblem,
  type FilesByDocument,
  filesOf,
  isComplete,
  markIncomplete,
  markProblem,
  mergeFiles,
  removeFile,
  type SkipAnswer,
  skipDocument,
} from "../files/document-files";
import type { ApiResponse, RecipientRequest, RequestedDocument } from "../request/submission-api";

export const STEPS = ["information", "documents", "review"] as const;

export type Information = { name: string; email: string };

/** A message for screen readers. Failures are announced by the document's own message. */
export type Announcement = { kind: "started" | "finished" | "removed"; file: string };

export type WizardState = {
  /** The index in `STEPS`. */
  step: number;
  /** Whether a button led to this step: then its heading takes the focus. */
  moved: boolean;
  /** Whether the last visit ended in the last step, which is shown once the request is loaded and complete. */
  resumesReview: boolean;
  information: Information;
  /** What is wrong with the fields of the first step. */
  invalid: { name?: "nameMissing"; email?: "emailMissing" | "emailInvalid" };
  documents: FilesByDocument;
  note: string;
  announcement: Announcement | null;
  sending: boolean;
  /** The submission is on its way, so that it cannot be cancelled. */
  sent: boolean;
  /** The response to the last attempt to submit, where it failed. */
  failure: ApiResponse | null;
};

/** What is typed and not sent before the recipient submits. */
export type Typed = {
  information: Information;
  note: string;
  skipped: readonly (readonly [documentId: number, reason: string])[];
};

export type WizardAction =
  | { type: "progress restored"; step: number; typed: Typed }
  /** The other field may not show yet what is known of it. */
  | { type: "information changed"; information: Information; field: string }
  | { type: "information submitted"; information: Information }
  /** The request was loaded or reloaded. */
  | ({ type: "request loaded" } & Pick<RecipientRequest, "documents" | "recipient">)
  | { type: "file chosen"; document: RequestedDocument; id: string; file: File }
  | { type: "choice rejected"; documentId: number; problem: FileProblem }
  | { type: "file removed"; id: string }
  | {
      type: "file changed";
      id: string;
      change: Partial<Pick<FileEntry, "uploadId" | "status" | "uploadedBytes">>;
    }
  | { type: "file uploaded"; id: string }
  /** The file is no longer on the server, and will not be uploaded again. */
  | { type: "file failed"; id: string; problem: FileProblem }
  | { type: "document skipped"; documentId: number; answer: SkipAnswer }
  | { type: "note changed"; note: string }
  | { type: "documents submitted"; documents: readonly RequestedDocument[] }
  | { type: "step back" }
  | { type: "submission started" }
  | { type: "submission sent" }
  | { type: "submission ended"; failure: ApiResponse | null };

/** Holds the state, outside React too. */
export type WizardStore = {
  dispatch: (action: WizardAction) => void;
  /** The latest state after every action, for work that runs between renders. */
  current: () => WizardState;
};

export const INITIAL_STATE: WizardState = {
  step: 0,
  moved: false,
  resumesReview: false,
  information: { name: "", email: "" },
  invalid: {},
  documents: new Map(),
  note: "",
  announcement: null,
  sending: false,
  sent: false,
  failure: null,
};

/** The state of the three steps after `action`. Requests, toasts and the focus are handled by the caller. */
export function wizardReducer(state: WizardState, action: WizardAction): WizardState {
  const { documents } = state;
  switch (action.type) {
    case "progress restored":
      return restore(state, action.step, action.typed);
    case "information changed":
      return changeInformation(state, action);
    case "information submitted":
      return submitInformation(state, action.information);
    case "request loaded":
      return showRequest(state, action);
    case "file chosen":
      return {
        ...state,
        documents: addFile(documents, action.document, action),
        announcement: { kind: "started", file: action.file.name },
      };
    case "choice rejected":
      return { ...state, documents: markProblem(documents, action.documentId, action.problem) };
    case "file removed":
      return {
        ...state,
        documents: removeFile(documents, action.id),
        announcement: announce(state, "removed", action.id),
      };
    case "file changed":
      return { ...state, documents: changeFile(documents, action.id, action.change) };
    case "file uploaded": {
      const uploadedBytes = allFiles(documents).find(({ id }) => id === action.id)?.size ?? 0;
      return {
        ...state,
        documents: changeFile(documents, action.id, { status: "uploaded", uploadedBytes }),
        announcement: announce(state, "finished", action.id),
      };
    }
    case "file failed":
      return { ...state, documents: removeFile(documents, action.id, action.problem) };
    case "document skipped":
      return { ...state, documents: skipDocument(documents, action.documentId, action.answer) };
    case "note changed":
      return { ...state, note: action.note };
    case "documents submitted":
      return isComplete(documents, action.documents)
        ? goTo(state, 2)
        : goTo({ ...state, documents: markIncomplete(documents, action.documents) }, 1);
    case "step back":
      return goTo(state, Math.max(0, state.step - 1));
    case "submission started":
      return { ...state, sending: true, sent: false, failure: null };
    case "submission sent":
      return { ...state, sent: true };
    case "submission ended":
      return { ...state, sending: false, sent: false, failure: action.failure };
  }
}

/** Moves to a step. Changes nothing if the step is already shown. */
const goTo = (state: WizardState, step: number): WizardState =>
  state.step === step ? state : { ...state, step, moved: true };

function announce(state: WizardState, kind: Announcement["kind"], id: string): Announcement | null {
  const file = allFiles(state.documents).find((entry) => entry.id === id);
  return file ? { kind, file: file.name } : state.announcement;
}

function showRequest(
  state: WizardState,
  { documents: requested, recipient }: Pick<RecipientRequest, "documents" | "recipient">,
): WizardState {
  const documents = mergeFiles(state.documents, requested);
  const step = state.resumesReview && isComplete(documents, requested) ? 2 : state.step;
  const { name, email } = state.information;
  const information = { name: name || recipient.name, email: email || recipient.email };
  const invalid = unchangedProblems(state, information);
  return { ...state, documents, information, invalid, step, resumesReview: false };
}

/** The last step reviews files, which the server may have or not; the second one shows them. */
function restore(state: WizardState, step: number, { information, note, skipped }: Typed): WizardState {
  const documents = skipped.reduce(
    (all, [id, skipReason]) =>
      filesOf(all, id).files.length > 0 ? all : skipDocument(all, id, { skipped: true, skipReason }),
    state.documents,
  );
  return { ...state, step: Math.min(step, 1), resumesReview: step === 2, information, note, documents };
}

function changeInformation(
  state: WizardState,
  { information: { name, email }, field }: { information: Information; field: string },
): WizardState {
  const kept = state.information;
  const information = {
    name: field === "name" ? name : name || kept.name,
    email: field === "email" ? email : email || kept.email,
  };
  return { ...state, information, invalid: unchangedProblems(state, information) };
}

function submitInformation(state: WizardState, entered: Information): WizardState {
  const information = { name: entered.name.trim(), email: entered.email.trim() };
  const emailProblem = problemOfEmail(information.email);
  const invalid: WizardState["invalid"] = {
    ...(!information.name && { name: "nameMissing" }),
    ...(emailProblem && { email: emailProblem }),
  };
  const next = { ...state, information, invalid };
  return invalid.name || invalid.email ? next : goTo(next, 1);
}

function problemOfEmail(email: string): WizardState["invalid"]["email"] {
  if (!email) return "emailMissing";
  const address = normalizeAddress(email);
  // Who has such a mailbox may type it: no mail goes there.
  return isEmailAddress(address) || hasForeignMailbox(address) ? undefined : "emailInvalid";
}

/** A field that is corrected loses its message. It is checked again when the step is left. */
const unchangedProblems = ({ information, invalid }: WizardState, entered: Information) => ({
  ...(invalid.name && entered.name === information.name && { name: invalid.name }),
  ...(invalid.email && entered.email === information.email && { email: invalid.email }),
});
