import { type ActionDispatch, useRef } from "react";
import { toast } from "../../../components/ui/toast-store";
import { isReadable } from "../files/check-file";
import { allFiles, filesOf, missingDocuments } from "../files/document-files";
import { type RequestState, toRequestState } from "../request/request-state";
import { fetchRequest, type RecipientRequest } from "../request/submission-api";
import { useTexts } from "../translation/use-texts";
import type { WizardAction, WizardState } from "../wizard/wizard-state";
import { type ChosenFile, sendFiles, uploadedFractions } from "./send-files";
import { submissionOutcome } from "./submission-outcome";

type SubmitOptions = {
  token: string;
  request: RecipientRequest | null;
  state: WizardState;
  dispatch: ActionDispatch<[WizardAction]>;
  onError: (title: string, text: string) => void;
  onState: (state: RequestState) => void;
  onDone: (sent: ChosenFile[]) => void;
};

/** Sends what was chosen, and follows up on the server's answer. */
export function useSubmit({ token, request, state, dispatch, onError, onState, onDone }: SubmitOptions) {
  const { toasts, errors } = useTexts().texts;
  const abort = useRef<AbortController>(null);
  const documents = request?.documents ?? [];

  const markUnreadable = async () => {
    const checked = await Promise.all(
      allFiles(state.documents).map(async ({ id, file }) => ({ id, readable: await isReadable(file) })),
    );
    const ids = new Set(checked.filter(({ readable }) => !readable).map(({ id }) => id));
    if (ids.size > 0) dispatch({ type: "files unreadable", ids });
    return ids.size > 0;
  };

  const reloadRequest = async () => {
    const reloaded = toRequestState(await fetchRequest(token));
    if (reloaded.kind !== "failed" || reloaded.answer.status === 404) onState(reloaded);
    if (reloaded.kind === "ready")
      dispatch({ type: "documents reloaded", documents: reloaded.request.documents });
  };

  const upload = async (chosen: readonly (ChosenFile & { id: string })[]) => {
    const controller = new AbortController();
    abort.current = controller;
    dispatch({ type: "upload started" });
    const sizes = chosen.map(({ file }) => file.size);
    const answer = await sendFiles(token, chosen, {
      onProgress: (progress) => {
        const fractions = uploadedFractions(sizes, progress);
        const uploadedBytes = new Map(
          chosen.map(({ id, file }, index) => [id, (fractions[index] ?? 0) * file.size]),
        );
        dispatch({ type: "upload progressed", uploadedBytes });
      },
      signal: controller.signal,
    });
    const failure = answer && answer.status !== 201 ? answer : null;
    dispatch({ type: "upload ended", failure });
    return answer;
  };

  const submit = async () => {
    if (await markUnreadable()) return onError(toasts.missingTitle, toasts.missingText);
    if (missingDocuments(state.documents, documents).length > 0) {
      dispatch({ type: "documents reloaded", documents });
      return onError(toasts.missingTitle, toasts.missingText);
    }
    const chosen = documents.flatMap(({ name }) =>
      filesOf(state.documents, name).files.map(({ id, file }) => ({ id, name, file })),
    );
    if (chosen.length === 0) return onError(toasts.failedTitle, errors.nothing_to_submit);
    const answer = await upload(chosen);
    if (!answer) return;
    const outcome = submissionOutcome(answer, request);
    if (outcome.kind === "accepted") {
      toast({ title: toasts.doneTitle, text: toasts.doneText });
      return onDone(chosen);
    }
    if (outcome.kind === "closed" && outcome.state.kind !== "failed") return onState(outcome.state);
    if (outcome.kind === "file refused") dispatch({ type: "file refused", ...outcome });
    onError(toasts.failedTitle, toasts.failedText);
    if (outcome.kind === "closed") onState(outcome.state);
    if (outcome.kind === "outdated") await reloadRequest();
    if (answer.status === 0) await markUnreadable();
  };

  return { submit, cancel: () => abort.current?.abort() };
}
