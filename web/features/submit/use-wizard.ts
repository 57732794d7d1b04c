import { type SubmitEvent, useState } from "react";
import { dismissToast, toast } from "../../components/ui/toast-store";
import { type RecipientRequest, readRequest } from "./load";
import { goneState, isRecord, type RequestState, requestorName, requestStateOf } from "./request-state";
import type { Blank, Information } from "./step-information";
import { useTexts } from "./texts";
import type { Chosen } from "./upload";
import { useFiles } from "./use-files";
import { useSubmission } from "./use-submission";

/** The server's word for a list of documents that is not ours any more. */
const CHANGED = ["missing_documents", "unknown_document", "envelope_changed"];

export type WizardProps = {
  token: string;
  /** Null while it is on the way. */
  request: RecipientRequest | null;
  onState: (state: RequestState) => void;
  onDone: (sent: Chosen[]) => void;
};

/** The three steps: what was entered, where one is, and what the buttons do. */
export function useWizard({ token, request, onState, onDone }: WizardProps) {
  const { texts } = useTexts();
  const [step, setStep] = useState({ place: 0, moved: false });
  const [information, setInformation] = useState<Information>({ name: "", email: "" });
  const [blank, setBlank] = useState<Blank>({ name: false, email: false });
  const choice = useFiles(request);
  const submission = useSubmission(token);
  const documents = request?.documents ?? [];
  const goTo = (place: number) => {
    dismissToast();
    setStep({ place, moved: true });
  };
  const { toasts } = texts;

  const refuse = (title: string, text: string, form?: HTMLFormElement) => {
    toast({ title, text, destructive: true });
    // After the marks are drawn.
    requestAnimationFrame(() => form?.querySelector<HTMLElement>("[aria-invalid]")?.focus());
  };

  const leaveInformation = (form: HTMLFormElement) => {
    const given = new FormData(form);
    const entered = {
      name: String(given.get("name") ?? "").trim(),
      email: String(given.get("email") ?? "").trim(),
    };
    const missing = { name: !entered.name, email: !entered.email };
    setInformation(entered);
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
    const state = requestStateOf(await readRequest(token));
    if (state.kind !== "failed" || state.answer.status === 404) onState(state);
    if (state.kind === "ready" && choice.markMissing(state.request.documents)) goTo(1);
  };

  const submit = async () => {
    if (await choice.dropUnreadable()) {
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
    const gone = answer.status === 410 ? goneState(answer.body) : null;
    if (gone) return onState(withRequest(gone, request));
    refuse(toasts.failedTitle, toasts.failedText);
    if (answer.status === 404) onState({ kind: "failed", answer });
    else if (isRecord(answer.body) && CHANGED.includes(String(answer.body.code))) await lookAgain();
    else if (answer.status === 0 && (await choice.dropUnreadable())) goTo(1);
  };

  return {
    step: step.place,
    /** Whether the step was reached by a button, and not by opening the page. */
    moved: step.moved,
    information,
    blank,
    choice,
    submission,
    previous: () => goTo(Math.max(0, step.place - 1)),
    next(event: SubmitEvent<HTMLFormElement>) {
      event.preventDefault();
      if (submission.sending) return;
      if (step.place === 0) leaveInformation(event.currentTarget);
      else if (step.place === 1) leaveDocuments(event.currentTarget);
      else void submit();
    },
  };
}

/** What the answer does not say of an expired request, the page still knows. */
function withRequest(state: RequestState, request: RecipientRequest | null): RequestState {
  if (state.kind !== "expired" || !request) return state;
  const name = state.name ?? requestorName(request.user) ?? request.user.email;
  return { kind: "expired", date: state.date ?? request.expirationDate, name };
}
