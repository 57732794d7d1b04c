import { type SubmitEvent, useEffect, useRef, useState } from "react";
import { dismissToast, toast } from "../../../components/ui/toast-store";
import { lacksRequired, type SkipAnswer } from "../files/document-files";
import type { RequestState, Submission } from "../request/request-state";
import type { RecipientRequest, RequestedDocument } from "../request/submission-api";
import { useTexts } from "../translation/use-texts";
import type { ConnectedUploads } from "../upload/connect-uploads";
import type { Submitting } from "../upload/submit";
import { type LaterSteps, whenLaterStepsLoaded } from "./load-later-steps";
import { useSavedProgress } from "./saved-progress";
import { useStepHistory } from "./use-step-history";
import {
  INITIAL_STATE,
  type Information,
  type WizardAction,
  type WizardState,
  type WizardStore,
  wizardReducer,
} from "./wizard-state";

export type WizardProps = {
  token: string;
  /** Null while it is loading. */
  request: RecipientRequest | null;
  onState: (state: RequestState) => void;
  onDone: (submission: Submission) => void;
  onStep: (step: number) => void;
};

/** Connects the wizard's state (`wizardReducer`) with the form, toasts, storage and the server. */
export function useWizard(props: WizardProps, laterSteps: LaterSteps | null) {
  const { token, request, onStep } = props;
  const { texts } = useTexts();
  const { toasts } = texts;
  const { state, ...store } = useWizardState(onStep);
  const { dispatch, current } = store;
  const session = useSession(store, laterSteps, props);
  useSavedProgress(token, state, dispatch);
  useEffect(() => {
    if (request) dispatch({ type: "request loaded", ...request });
  }, [request, dispatch]);

  const showError = (title: string, text: string) => {
    toast({ title, text, destructive: true });
    focusInvalid();
  };
  /**
   * Leaves the step, or reports what is missing in it. Where nothing required is missing, the field alone says what is
   * wrong: an invalid address, or an unfinished file of an optional document.
   */
  const leaveStep = (action: WizardAction) => {
    const { step } = current();
    dispatch(action);
    const stays = current().step === step;
    const missing =
      action.type === "documents submitted"
        ? lacksRequired(current().documents, action.documents)
        : !isFirstStepFilled(current());
    if (stays && missing) return showError(toasts.requiredTitle, toasts.requiredText);
    dismissToast();
    if (stays) focusInvalid();
  };
  const leaveFirstStep = (information: Information) => {
    const action = { type: "information submitted", information } as const;
    if (wizardReducer(current(), action).step === 0) leaveStep(action);
    else whenLaterStepsLoaded(() => current().step === 0 && leaveStep(action));
  };
  const previous = () => {
    dismissToast();
    dispatch({ type: "step back" });
    // The first step is shown with the counts of what is asked and what is here.
    if (current().step === 0) void session?.uploads.refresh();
  };
  useStepHistory(state, previous);
  return {
    state,
    cancel: () => session?.cancel(),
    previous,
    /** Saves what is typed, so that a reload does not lose it. */
    handleInput(form: HTMLFormElement, { name: field }: { name: string }) {
      // A toast would contradict a field that is corrected.
      dismissToast();
      if (state.step === 0)
        dispatch({ type: "information changed", information: informationIn(form), field });
    },
    chooseFiles(document: RequestedDocument, files: readonly File[]) {
      // A dropped file is no input.
      dismissToast();
      if (request) session?.uploads.choose(document, files, request.maxFileSize);
    },
    removeFile: (document: RequestedDocument, id: string) => session?.uploads.remove(document, id),
    skipDocument(document: RequestedDocument, answer: SkipAnswer) {
      dispatch({ type: "document skipped", documentId: document.id, answer });
    },
    refresh: () => void session?.uploads.refresh(),
    changeNote: (note: string) => dispatch({ type: "note changed", note }),
    next(event: SubmitEvent<HTMLFormElement>) {
      event.preventDefault();
      if (state.sending) return;
      if (state.step === 0) leaveFirstStep(informationIn(event.currentTarget));
      else if (!request) return;
      else if (state.step === 2) void session?.submit({ request, texts, onError: showError });
      else leaveStep({ type: "documents submitted", documents: session?.incomplete(request) ?? [] });
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
    const shown = field?.closest("li") ?? field;
    // A large card begins below the toast.
    shown?.scrollIntoView({ block: shown.offsetHeight > innerHeight / 2 ? "start" : "center" });
  });

const isFirstStepFilled = ({ step, information: { name, email } }: WizardState) =>
  step === 0 && name !== "" && email !== "";

/**
 * The wizard's state. `onStep` must be stable: the request's card above is folded in the same render as the step is
 * shown, which scrolls to itself.
 */
function useWizardState(onStep: WizardProps["onStep"]): WizardStore & { state: WizardState } {
  const [state, setState] = useState(INITIAL_STATE);
  const [store] = useState<WizardStore>(() => {
    let latest = INITIAL_STATE;
    return {
      dispatch(action) {
        latest = wizardReducer(latest, action);
        setState(latest);
        onStep(latest.step);
      },
      current: () => latest,
    };
  });
  return { state, ...store };
}

/** Uploads and submitting, once the later steps are loaded. */
type Session = { uploads: ConnectedUploads } & Submitting;

/** Creates the session, and shows what other devices have changed when the page becomes visible again. */
function useSession(
  store: WizardStore,
  laterSteps: LaterSteps | null,
  { token, onState, onDone }: WizardProps,
): Session | null {
  const [session, setSession] = useState<Session | null>(null);
  // The request may be loaded or changed after the session was created.
  const latest = useRef(onDone);
  useEffect(() => {
    latest.current = onDone;
  });
  if (laterSteps && !session) {
    const uploads = laterSteps.connectUploads({ token, onState, ...store });
    const done: typeof onDone = (submission) => latest.current(submission);
    setSession({
      uploads,
      ...laterSteps.createSubmitting({ token, uploads, onState, onDone: done, ...store }),
    });
  }
  const uploads = session?.uploads;
  useEffect(() => {
    const refresh = () => document.visibilityState === "visible" && void uploads?.refresh();
    document.addEventListener("visibilitychange", refresh);
    return () => document.removeEventListener("visibilitychange", refresh);
  }, [uploads]);
  return session;
}
