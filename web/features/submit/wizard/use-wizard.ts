import { type SubmitEvent, useReducer, useRef } from "react";
import { dismissToast, toast } from "../../../components/ui/toast-store";
import { checkFiles } from "../files/document-files";
import type { RequestState } from "../request/request-state";
import type { RecipientRequest, RequestedDocument } from "../request/submission-api";
import { useTexts } from "../translation/use-texts";
import type { ChosenFile } from "../upload/send-files";
import { useSubmit } from "../upload/use-submit";
import { whenLaterStepsLoaded } from "./load-later-steps";
import { useSavedProgress } from "./saved-progress";
import { INITIAL_STATE, type Information, type WizardAction, wizardReducer } from "./wizard-state";

export type WizardProps = {
  token: string;
  /** Null while it is loading. */
  request: RecipientRequest | null;
  onState: (state: RequestState) => void;
  onDone: (sent: ChosenFile[]) => void;
};

/** Connects the wizard's state (`wizardReducer`) with the form, toasts, storage and the server. */
export function useWizard({ token, request, onState, onDone }: WizardProps) {
  const { toasts } = useTexts().texts;
  const [state, dispatch] = useReducer(wizardReducer, INITIAL_STATE);
  const lastId = useRef(0);
  useSavedProgress(token, state, dispatch);

  const showError = (title: string, text: string) => {
    toast({ title, text, destructive: true });
    // The fields are marked by the next render.
    requestAnimationFrame(() => document.querySelector<HTMLElement>("form [aria-invalid]")?.focus());
  };
  /** Leaves the step, or says that something is missing in it. */
  const leaveStep = (action: WizardAction) => {
    dispatch(action);
    if (wizardReducer(state, action).step === state.step)
      showError(toasts.requiredTitle, toasts.requiredText);
    else dismissToast();
  };
  const leaveFirstStep = (information: Information) => {
    const action = { type: "information submitted", information } as const;
    if (wizardReducer(state, action).step === state.step) leaveStep(action);
    else whenLaterStepsLoaded(() => leaveStep(action));
  };
  const { submit, cancel } = useSubmit({
    token,
    request,
    state,
    dispatch,
    onError: showError,
    onState,
    onDone,
  });

  return {
    state,
    cancel,
    previous() {
      dismissToast();
      dispatch({ type: "step back" });
    },
    /** Saves what is typed, so that a reload does not lose it. */
    handleInput(form: HTMLFormElement) {
      if (state.step === 0) dispatch({ type: "information changed", information: informationIn(form) });
    },
    /** Returns the files if the document accepts them. */
    chooseFiles(document: RequestedDocument, files: readonly File[]): readonly File[] {
      if (!request) return [];
      const problem = checkFiles(files, document, request.maxFileSize);
      if (problem) {
        dispatch({ type: "choice refused", document: document.name, problem });
        return [];
      }
      const entries = files.map((file) => {
        lastId.current += 1;
        return { id: String(lastId.current), file };
      });
      dispatch({ type: "files chosen", document, files: entries });
      return files;
    },
    removeFile(document: RequestedDocument, id: string) {
      dispatch({ type: "file removed", document: document.name, id });
    },
    next(event: SubmitEvent<HTMLFormElement>) {
      event.preventDefault();
      if (state.sending) return;
      if (state.step === 0) leaveFirstStep(informationIn(event.currentTarget));
      else if (state.step === 2) void submit();
      else if (request) leaveStep({ type: "documents submitted", documents: request.documents });
    },
  };
}

function informationIn(form: HTMLFormElement): Information {
  const fields = new FormData(form);
  return { name: String(fields.get("name") ?? ""), email: String(fields.get("email") ?? "") };
}
