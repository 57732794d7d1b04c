import type { FileProblem } from "../files/check-file";
import {
  addFiles,
  type FilesByDocument,
  mapFiles,
  markMissing,
  markProblem,
  missingDocuments,
  refuseFiles,
  removeFile,
  removeUnreadable,
} from "../files/document-files";
import type { Answer, RequestedDocument } from "../request/submission-api";

export const STEPS = ["information", "documents", "review"] as const;

export type Information = { name: string; email: string };

export type WizardState = {
  /** The index in `STEPS`. */
  step: number;
  /** Whether a button led to this step: then its heading takes the focus. */
  moved: boolean;
  information: Information;
  /** The fields of the first step that were left blank. */
  blank: Record<keyof Information, boolean>;
  documents: FilesByDocument;
  /** Files were chosen before the page was reloaded; the browser does not keep them. */
  filesLost: boolean;
  sending: boolean;
  /** The answer to the last attempt to submit, where it failed. */
  failure: Answer | null;
};

export type WizardAction =
  | { type: "progress restored"; step: number; information: Information; filesLost: boolean }
  | { type: "information changed"; information: Information }
  | { type: "information submitted"; information: Information }
  | { type: "files chosen"; document: RequestedDocument; files: readonly { id: string; file: File }[] }
  | { type: "choice refused"; document: string; problem: FileProblem }
  | { type: "file removed"; document: string; id: string }
  | { type: "documents submitted"; documents: readonly RequestedDocument[] }
  /** The list of documents may have changed since the last step was reached. */
  | { type: "documents reloaded"; documents: readonly RequestedDocument[] }
  | { type: "files unreadable"; ids: ReadonlySet<string> }
  | { type: "step back" }
  | { type: "upload started" }
  | { type: "upload progressed"; uploadedBytes: ReadonlyMap<string, number> }
  | { type: "upload ended"; failure: Answer | null }
  | { type: "file refused"; document: string; problem: FileProblem["kind"] };

export const INITIAL_STATE: WizardState = {
  step: 0,
  moved: false,
  information: { name: "", email: "" },
  blank: { name: false, email: false },
  documents: new Map(),
  filesLost: false,
  sending: false,
  failure: null,
};

/** Everything the three steps know, after `action`. Requests, toasts and the focus are the caller's. */
export function wizardReducer(state: WizardState, action: WizardAction): WizardState {
  switch (action.type) {
    case "progress restored": {
      const { step, information, filesLost } = action;
      // The last step reviews files, and a reload has lost them.
      return { ...state, step: Math.min(step, 1), information, filesLost };
    }
    case "information changed":
      return { ...state, information: action.information };
    case "information submitted":
      return submitInformation(state, action.information);
    case "files chosen":
      return {
        ...state,
        documents: addFiles(state.documents, action.document, action.files),
        filesLost: false,
      };
    case "choice refused":
      return { ...state, documents: markProblem(state.documents, action.document, action.problem) };
    case "file removed":
      return { ...state, documents: removeFile(state.documents, action.document, action.id) };
    case "documents submitted":
      return missingDocuments(state.documents, action.documents).length > 0
        ? { ...state, documents: markMissing(state.documents, action.documents) }
        : goTo(state, 2);
    case "documents reloaded":
      return missingDocuments(state.documents, action.documents).length > 0
        ? goTo({ ...state, documents: markMissing(state.documents, action.documents) }, 1)
        : state;
    case "files unreadable":
      return goTo({ ...state, documents: removeUnreadable(state.documents, action.ids) }, 1);
    case "step back":
      return goTo(state, Math.max(0, state.step - 1));
    case "upload started":
      return { ...state, sending: true, failure: null, documents: startUpload(state.documents) };
    case "upload progressed":
      return { ...state, documents: progressUpload(state.documents, action.uploadedBytes) };
    case "upload ended":
      return { ...state, sending: false, failure: action.failure, documents: endUpload(state.documents) };
    case "file refused":
      return goTo(
        { ...state, failure: null, documents: refuseFiles(state.documents, action.document, action.problem) },
        1,
      );
  }
}

function goTo(state: WizardState, step: number): WizardState {
  return { ...state, step, moved: true };
}

function submitInformation(state: WizardState, entered: Information): WizardState {
  const information = { name: entered.name.trim(), email: entered.email.trim() };
  const blank = { name: !information.name, email: !information.email };
  const next = { ...state, information, blank };
  return blank.name || blank.email ? next : goTo(next, 1);
}

const startUpload = (documents: FilesByDocument) =>
  mapFiles(documents, (entry) => ({ ...entry, status: "uploading", uploadedBytes: 0 }));

const progressUpload = (documents: FilesByDocument, uploadedBytes: ReadonlyMap<string, number>) =>
  mapFiles(documents, (entry) => {
    const uploaded = uploadedBytes.get(entry.id) ?? entry.uploadedBytes;
    const status = uploaded >= entry.file.size ? "uploaded" : "uploading";
    return { ...entry, status, uploadedBytes: uploaded };
  });

/** One request carries all files, so an upload that failed has stored none. */
const endUpload = (documents: FilesByDocument) =>
  mapFiles(documents, (entry) => ({ ...entry, status: "ready", uploadedBytes: 0 }));
