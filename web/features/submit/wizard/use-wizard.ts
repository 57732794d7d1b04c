import { type SubmitEvent, useEffect, useLayoutEffect } from "react";
import { dismissToast, toast } from "../../../components/ui/toast-store";
import type { SkipAnswer } from "../files/document-files";
import type { RequestState } from "../request/request-state";
import type { RecipientRequest, RequestedDocument } from "../request/submission-api";
import { useTexts } from "../translation/use-texts";
import type { Receipt } from "../upload/receipt";
import { type LaterSteps, whenLaterStepsLoaded } from "./load-later-steps";
import { useSavedProgress } from "./saved-progress";
import { useSession } from "./use-session";
import { useWizardState } from "./use-wizard-state";
import { type Information, type WizardAction, type WizardState, wizardReducer } from "./wizard-state";

export type WizardProps = {
  token: string;
  /** Null while it is loading. */
  request: RecipientRequest | null;
  onState: (state: RequestState) => void;
  onDone: (receipt: Receipt) => void;
  onStep: (step: number) => void;
};

/** Connects the wizard's state (`wizardReducer`) with the form, toasts, storage and the server. */
export function useWizard(props: WizardProps, laterSteps: LaterSteps | null) {
  const { token, request, onStep } = props;
  const { texts } = useTexts();
  const { toasts } = texts;
  const { state, ...store } = useWizardState();
  const { dispatch, current } = store;
  const session = useSession(store, laterSteps, { ...props, step: state.step });
  useSavedProgress(token, state, dispatch);
  useEffect(() => {
    if (request) dispatch({ type: "request loaded", documents: request.documents });
  }, [request, dispatch]);
  useLayoutEffect(() => onStep(state.step), [state.step, onStep]);

  const showError = (title: string, text: string) => {
    toast({ title, text, destructive: true });
    focusInvalid();
  };
  /** Leaves the step, or reports what is missing in it. An invalid address is reported by its field alone. */
  const leaveStep = (action: WizardAction) => {
    const { step } = current();
    dispatch(action);
    const stays = current().step === step;
    if (stays && !isFirstStepFilled(current())) return showError(toasts.requiredTitle, toasts.requiredText);
    dismissToast();
    if (stays) focusInvalid();
  };
  const leaveFirstStep = (information: Information) => {
    const action = { type: "information submitted", information } as const;
    if (wizardReducer(current(), action).step === 0) leaveStep(action);
    else whenLaterStepsLoaded(() => current().step === 0 && leaveStep(action));
  };
  return {
    state,
    cancel: () => session?.cancel(),
    previous() {
      dismissToast();
      dispatch({ type: "step back" });
    },
    /** Saves what is typed, so that a reload does not lose it. */
    handleInput(form: HTMLFormElement) {
      if (state.step === 0) dispatch({ type: "information changed", information: informationIn(form) });
    },
    chooseFiles(document: RequestedDocument, files: readonly File[]) {
      if (request) session?.uploads.choose(document, files, request.maxFileSize);
    },
    removeFile: (document: RequestedDocument, id: string) => session?.uploads.remove(document, id),
    skipDocument(document: RequestedDocument, answer: SkipAnswer) {
      dispatch({ type: "document skipped", documentId: document.id, answer });
    },
    changeNote: (note: string) => dispatch({ type: "note changed", note }),
    next(event: SubmitEvent<HTMLFormElement>) {
      event.preventDefault();
      if (state.sending) return;
      if (state.step === 0) leaveFirstStep(informationIn(event.currentTarget));
      else if (!request) return;
      else if (state.step === 2) void session?.submit({ request, texts, onError: showError });
      else leaveStep({ type: "documents submitted", documents: request.documents });
    },
  };
}

function informationIn(form: HTMLFormElement): Information {
  const fields = new FormData(form);
  return { name: String(fields.get("name") ?? ""), email: String(fields.get("email") ?? "") };
}

/** The fields are marked by the next render. WebKit scrolls a field just into view, without the error below it. */
const focusInvalid = () =>
  requestAnimationFrame(() => {
    const field = document.querySelector<HTMLElement>("form [aria-invalid]");
    field?.focus({ preventScroll: true });
    field?.scrollIntoView({ block: "center" });
  });

const isFirstStepFilled = ({ step, information: { name, email } }: WizardState) =>
  step === 0 && name !== "" && email !== "";
