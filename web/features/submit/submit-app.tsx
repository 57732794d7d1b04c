import { ShieldCheck } from "lucide-react";
import { useCallback, useEffect, useState } from "react";
import type { Language } from "../../../worker/contract/options";
import { PRODUCT_NAME } from "../../../worker/contract/product";
import { storeLanguage } from "../../lib/language";
import { onFirstInput } from "../../lib/on-first-input";
import { ExpiredPage, InvalidPage, NoDocumentsPage } from "./page/final-pages";
import { PageHeader } from "./page/page-header";
import { reportOpened } from "./request/report-opened";
import { RequestCard, RequestCardSkeleton } from "./request/request-card";
import { type RequestState, requestorName, toRequestState } from "./request/request-state";
import { requestTitle } from "./request/stored-texts";
import { type Answer, fetchRequest, fetchTexts, type RecipientRequest } from "./request/submission-api";
import { type Texts, translate } from "./translation/translate";
import { TextsProvider, useTexts } from "./translation/use-texts";
import type { Receipt } from "./upload/receipt";
import { LoadingStep, loadLaterSteps, useLaterSteps } from "./wizard/load-later-steps";
import { clearProgress } from "./wizard/saved-progress";
import { Wizard } from "./wizard/wizard";

type SubmitAppProps = {
  token: string;
  language: Language;
  texts: Texts;
  /** Absent when prerendering. */
  answer?: Promise<Answer>;
  /** Whether Next was pressed before hydration. */
  wasSubmitted?: () => boolean;
};

export function SubmitApp({ token, language, texts, answer, wasSubmitted = never }: SubmitAppProps) {
  const [translation, setTranslation] = useState({ language, texts });
  const { state, setState, load } = useRequest(token, answer);
  const [receipt, setReceipt] = useState<Receipt | null>(null);
  const [step, setStep] = useState(0);
  const laterSteps = useLaterSteps();
  useTitle(titleOf(translation.texts, state, receipt !== null));
  useEffect(() => onFirstInput(loadLaterSteps), []);
  const ready = state.kind === "ready";
  useEffect(() => (ready ? reportOpened(token) : undefined), [ready, token]);
  const finished = receipt !== null || state.kind === "completed" || state.kind === "expired";
  useEffect(() => {
    if (finished) clearProgress(token);
  }, [finished, token]);

  const changeLanguage = async (chosen: Language) => {
    storeLanguage(chosen);
    const texts = await fetchTexts(chosen);
    document.documentElement.lang = chosen;
    setTranslation({ language: chosen, texts });
  };
  const request = state.kind === "ready" ? state.request : null;
  return (
    <TextsProvider {...translation}>
      <PageHeader onLanguage={changeLanguage} />
      <main className="mx-auto w-full max-w-160 pt-2 pb-8 sm:pt-4 sm:pb-16">
        {state.kind === "failed" && <InvalidPage answer={state.answer} onRetry={load} />}
        {(state.kind === "completed" || state.kind === "expired") && <ExpiredPage state={state} />}
        {request &&
          receipt &&
          (laterSteps ? <laterSteps.CompletePage request={request} receipt={receipt} /> : <LoadingStep />)}
        {request?.documents.length === 0 && <NoDocumentsPage />}
        {isOpen(state) && !receipt && (
          <>
            {request ? (
              <RequestCard token={token} request={request} folded={step > 0} />
            ) : (
              <RequestCardSkeleton />
            )}
            <Wizard
              token={token}
              request={request}
              onState={setState}
              onDone={setReceipt}
              onStep={setStep}
              wasSubmitted={wasSubmitted}
            />
            {request && <PrivacyNote user={request.user} />}
          </>
        )}
      </main>
      {laterSteps && <laterSteps.Toaster />}
    </TextsProvider>
  );
}

const never = () => false;

/** Whether the wizard is shown: the request is loading, or has documents. */
function isOpen(state: RequestState): boolean {
  return state.kind === "loading" || (state.kind === "ready" && state.request.documents.length > 0);
}

/** What happens to the files. */
function PrivacyNote({ user }: { user: RecipientRequest["user"] }) {
  const { t } = useTexts();
  return (
    <p className="flex gap-2.5 px-5 pt-5 text-ink-soft text-sm sm:px-1">
      <ShieldCheck aria-hidden className="size-5 shrink-0" />
      <span className="min-w-0 break-words">{t("privacy", { name: requestorName(user) ?? user.email })}</span>
    </p>
  );
}

function useRequest(token: string, answer: Promise<Answer> | undefined) {
  const [state, setState] = useState<RequestState>({ kind: "loading" });
  const handleAnswer = useCallback((answer: Answer) => {
    setState(toRequestState(answer));
    delete document.documentElement.dataset.request;
  }, []);
  useEffect(() => {
    void answer?.then(handleAnswer);
  }, [answer, handleAnswer]);
  const load = useCallback(async () => handleAnswer(await fetchRequest(token)), [token, handleAnswer]);
  return { state, setState, load };
}

function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} | ${PRODUCT_NAME}`;
  }, [title]);
}

function titleOf(texts: Texts, state: RequestState, sent: boolean): string {
  if (sent) return texts.complete.title;
  if (state.kind === "failed") return texts.invalid.title;
  if (state.kind === "completed" || state.kind === "expired") return texts.expired.title;
  if (state.kind === "loading") return texts.pageTitle;
  return state.request.documents.length === 0
    ? texts.none.title
    : requestTitle(state.request, (key, values) => translate(texts, key, values));
}
