import { toast } from "../../../components/ui/toast-store";
import { allFiles, filesOf, isComplete, missingDocuments } from "../files/document-files";
import { fileProblem } from "../files/file-problem";
import { isInSync } from "../files/is-in-sync";
import { type RequestState, toRequestState } from "../request/request-state";
import {
  type Answer,
  callServer,
  fetchRequest,
  type RecipientRequest,
  submissionUrl,
} from "../request/submission-api";
import type { Texts } from "../translation/translate";
import type { WizardStore } from "../wizard/use-wizard-state";
import type { WizardState } from "../wizard/wizard-state";
import type { ConnectedUploads } from "./connect-uploads";
import type { Receipt } from "./receipt";
import { submissionOutcome } from "./submission-outcome";

type SubmitOptions = WizardStore & {
  token: string;
  uploads: ConnectedUploads;
  onState: (state: RequestState) => void;
  onDone: (receipt: Receipt) => void;
};

/** What the page shows when Submit is pressed. */
type Shown = {
  request: RecipientRequest;
  texts: Texts;
  onError: (title: string, text: string) => void;
};

export type Submitting = ReturnType<typeof createSubmitting>;

/** Submits the uploads once all of them are complete, and handles the server's response. */
export function createSubmitting({ token, uploads, dispatch, current, onState, onDone }: SubmitOptions) {
  let attempt = 0;

  const markIncomplete = ({ request: { documents }, texts: { toasts }, onError }: Shown) => {
    const missing = missingDocuments(current().documents, documents).length > 0;
    dispatch({ type: "documents submitted", documents });
    if (missing) onError(toasts.missingTitle, toasts.missingText);
    else onError(toasts.requiredTitle, toasts.requiredText);
  };

  const end = (failure: Answer | null = null) => dispatch({ type: "submission ended", failure });

  /** Whether the page shows the server's state, since another device may have changed it. */
  const isCurrent = async ({ request, texts, onError }: Shown): Promise<boolean> => {
    const { toasts, errors } = texts;
    const answer = await fetchRequest(token);
    const state = toRequestState(answer);
    if (state.kind === "failed") {
      end(answer);
      onError(toasts.failedTitle, toasts.failedText);
      return false;
    }
    if (state.kind === "ready" && isInSync(current().documents, request.documents, state.request.documents))
      return true;
    end();
    onState(state);
    if (state.kind !== "ready") return false;
    dispatch({ type: "request loaded", documents: state.request.documents });
    if (isComplete(current().documents, state.request.documents))
      onError(toasts.failedTitle, errors.envelope_changed);
    else markIncomplete({ request: state.request, texts, onError });
    return false;
  };

  const follow = async (answer: Answer, { request, texts: { toasts }, onError }: Shown) => {
    const outcome = submissionOutcome(answer, request);
    end(outcome.kind === "failed" || outcome.kind === "outdated" ? answer : null);
    if (outcome.kind === "accepted") {
      toast({ title: toasts.doneTitle, text: toasts.doneText });
      return onDone(outcome.receipt);
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
  };

  return {
    async submit(shown: Shown): Promise<void> {
      const { request, texts, onError } = shown;
      const { toasts, errors } = texts;
      if (!isComplete(current().documents, request.documents)) return markIncomplete(shown);
      if (isEmpty(current())) return onError(toasts.failedTitle, errors.nothing_to_submit);
      attempt += 1;
      const mine = attempt;
      dispatch({ type: "submission started" });
      const before = allFiles(current().documents).length;
      await uploads.idle();
      if (mine !== attempt) return;
      if (allFiles(current().documents).length < before) {
        // A file was rejected.
        end();
        dispatch({ type: "step back" });
        return onError(toasts.failedTitle, toasts.failedText);
      }
      if (!(await isCurrent(shown)) || mine !== attempt) return;
      await follow(await send(token, current()), shown);
    },
    cancel() {
      attempt += 1;
      end();
    },
  };
}

function isEmpty({ documents, note }: WizardState): boolean {
  return ![...documents.values()].some(({ files, skipped }) => files.length > 0 || skipped) && !note.trim();
}

function send(token: string, { documents, note }: WizardState): Promise<Answer> {
  const skipped = [...documents]
    .filter(([, document]) => document.skipped)
    .map(([documentId, { skipReason }]) => ({ documentId, reason: skipReason.trim() || null }));
  return callServer(`${submissionUrl(token)}/submit`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ note: note.trim() || null, skipped }),
  });
}
