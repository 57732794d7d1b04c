import { type SubmitEvent, useState } from "react";
import { dismissToast, toast } from "../../../components/ui/toast-store";
import { useFiles } from "../files/use-files";
import {
  isRecord,
  type RequestState,
  requestorName,
  toGoneState,
  toRequestState,
} from "../request/request-state";
import { fetchRequest, type RecipientRequest } from "../request/submission-api";
import { useTexts } from "../translation/use-texts";
import type { ChosenFile } from "../upload/send-files";
import { useUpload } from "../upload/use-upload";
import { useSavedProgress } from "./saved-progress";
import type { Blank, Information } from "./step-information";

/** The server's word for a list of documents that is not ours any more. */
const CHANGED = ["missing_documents", "unknown_document", "envelope_changed"];

export type WizardProps = {
  token: string;
  /** Null while it is on the way. */
  request: RecipientRequest | null;
  onState: (state: RequestState) => void;
  onDone: (sent: ChosenFile[]) => void;
};

/** The three steps: what was entered, where one is, and what the buttons do. */
export function useWizard({ token, request, onState, onDone }: WizardProps) {
  const { texts } = useTexts();
  const [moved, setMoved] = useState(false);
  const [blank, setBlank] = useState<Blank>({ name: false, email: false });
  const choice = useFiles(request);
  const [progress, changeProgress] = useSavedProgress(token, choice.files.size > 0);
  const submission = useUpload(token);
  const documents = request?.documents ?? [];
  const goTo = (place: number) => {
    dismissToast();
    setMoved(true);
    changeProgress({ step: place });
  };
  const { toasts } = texts;

  const refuse = (title: string, text: string, form?: HTMLFormElement) => {
    toast({ title, text, destructive: true });
    // After the marks are drawn.
    requestAnimationFrame(() => form?.querySelector<HTMLElement>("[aria-invalid]")?.focus());
  };

  const leaveInformation = (form: HTMLFormElement) => {
    const { name, email } = enteredIn(form);
    const entered = { name: name.trim(), email: email.trim() };
    const missing = { name: !entered.name, email: !entered.email };
    changeProgress(entered);
    setBlank(missing);
    if (missing.name || missing.email) refuse(toasts.requiredTitle, toasts.requiredText, form);
    else goTo(1);
  };

  const leaveDocuments = (form: HTMLFormElement) => {
    if (!request) return;
    if (choice.markMissing(documents)) refuse(toasts.requiredTitle, toasts.requiredText, form);
    else goTo(2);
  };

  const lookAgain = async () => {
    const state = toRequestState(await fetchRequest(token));
    if (state.kind !== "failed" || state.answer.status === 404) onState(state);
    if (state.kind === "ready" && choice.markMissing(state.request.documents)) goTo(1);
  };

  const submit = async () => {
    if (await choice.removeUnreadable()) {
      goTo(1);
      return refuse(toasts.missingTitle, toasts.missingText);
    }
    if (choice.markMissing(documents)) {
      goTo(1);
      return refuse(toasts.missingTitle, toasts.missingText);
    }
    const chosen = documents.flatMap(({ name }) => {
      const file = choice.files.get(name);
      return file ? [{ name, file }] : [];
    });
    const answer = await submission.send(chosen);
    if (!answer) return;
    if (answer.status === 201) {
      toast({ title: toasts.doneTitle, text: toasts.doneText });
      return onDone(chosen);
    }
    const gone = answer.status === 410 ? toGoneState(answer.body) : null;
    if (gone) return onState(withRequest(gone, request));
    const { code, params } = isRecord(answer.body) ? answer.body : {};
    if (code === "infected_file" && isRecord(params) && choice.removeInfected(params.document)) goTo(1);
    refuse(toasts.failedTitle, toasts.failedText);
    if (answer.status === 404) onState({ kind: "failed", answer });
    else if (CHANGED.includes(String(code))) await lookAgain();
    else if (answer.status === 0 && (await choice.removeUnreadable())) goTo(1);
  };

  return {
    step: progress.step,
    /** Whether the step was reached by a button, and not by opening the page. */
    moved,
    information: progress satisfies Information,
    /** The files that were chosen did not survive a reload. */
    lostFiles: progress.lostFiles && choice.files.size === 0,
    blank,
    choice,
    submission,
    previous: () => goTo(Math.max(0, progress.step - 1)),
    /** Something was typed; the browser shows it, and it is kept for a reload. */
    typed(form: HTMLFormElement) {
      if (progress.step === 0) changeProgress(enteredIn(form));
    },
    next(event: SubmitEvent<HTMLFormElement>) {
      event.preventDefault();
      if (submission.sending) return;
      if (progress.step === 0) leaveInformation(event.currentTarget);
      else if (progress.step === 1) leaveDocuments(event.currentTarget);
      else void submit();
    },
  };
}

function enteredIn(form: HTMLFormElement): Information {
  const given = new FormData(form);
  return { name: String(given.get("name") ?? ""), email: String(given.get("email") ?? "") };
}

/** What the answer does not say of an expired request, the page still knows. */
function withRequest(state: RequestState, request: RecipientRequest | null): RequestState {
  if (state.kind !== "expired" || !request) return state;
  const name = state.name ?? requestorName(request.user) ?? request.user.email;
  return { kind: "expired", date: state.date ?? request.expirationDate, name };
}
