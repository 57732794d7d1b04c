import { ShieldCheck } from "lucide-react";
import { useCallback, useEffect, useState } from "react";
import type { Language } from "../../../worker/contract/options";
import { PRODUCT_NAME } from "../../../worker/contract/product";
import { rememberLanguage } from "../../lib/language";
import { CompletePage, ExpiredPage, InvalidPage, NothingPage } from "./page/final-pages";
import { Header, useAwake } from "./page/page-header";
import { Toaster } from "./page/toaster";
import { tellOpening } from "./request/report-opened";
import { RequestCard, RequestCardWaiting } from "./request/request-card";
import { type RequestState, requestorName, requestStateOf } from "./request/request-state";
import { type Answer, type RecipientRequest, readRequest, readTexts } from "./request/submission-api";
import type { Texts } from "./translation/translate";
import { TextsProvider, useTexts } from "./translation/use-texts";
import type { Chosen } from "./upload/send-files";
import { dropProgress } from "./wizard/saved-progress";
import { Wizard } from "./wizard/wizard";

type SubmitAppProps = {
  token: string;
  language: Language;
  texts: Texts;
  /** Absent in the page as it is built. */
  answer?: Promise<Answer>;
  /** Next was pressed before this was here to see it. */
  pressed?: boolean;
};

export function SubmitApp({ token, language, texts, answer, pressed = false }: SubmitAppProps) {
  const [spoken, setSpoken] = useState({ language, texts });
  const { state, setState, load } = useRequest(token, answer);
  const [sent, setSent] = useState<Chosen[] | null>(null);
  const awake = useAwake();
  useTitle(titleOf(spoken.texts, state, sent !== null));
  const ready = state.kind === "ready";
  useEffect(() => (ready ? tellOpening(token) : undefined), [ready, token]);
  const over = sent !== null || state.kind === "completed" || state.kind === "expired";
  useEffect(() => {
    if (over) dropProgress(token);
  }, [over, token]);

  const speak = async (chosen: Language) => {
    rememberLanguage(chosen);
    const texts = await readTexts(chosen);
    document.documentElement.lang = chosen;
    setSpoken({ language: chosen, texts });
  };
  const request = state.kind === "ready" ? state.request : null;
  return (
    <TextsProvider {...spoken}>
      <Header onLanguage={speak} />
      <main className="mx-auto w-full max-w-160 pt-2 pb-8 sm:pt-4 sm:pb-16">
        {state.kind === "failed" && <InvalidPage answer={state.answer} onRetry={load} />}
        {(state.kind === "completed" || state.kind === "expired") && <ExpiredPage state={state} />}
        {request && sent && <CompletePage request={request} sent={sent} />}
        {request?.documents.length === 0 && <NothingPage />}
        {isOpen(state) && !sent && (
          <>
            {request ? <RequestCard request={request} /> : <RequestCardWaiting />}
            <Wizard token={token} request={request} onState={setState} onDone={setSent} pressed={pressed} />
            {request && <Assurance user={request.user} />}
          </>
        )}
      </main>
      {awake && <Toaster />}
    </TextsProvider>
  );
}

/** Whether there is, or may be, something to upload. */
function isOpen(state: RequestState): boolean {
  return state.kind === "loading" || (state.kind === "ready" && state.request.documents.length > 0);
}

/** What happens to the files. */
function Assurance({ user }: { user: RecipientRequest["user"] }) {
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
  const take = useCallback((answer: Answer) => {
    setState(requestStateOf(answer));
    delete document.documentElement.dataset.request;
  }, []);
  useEffect(() => {
    void answer?.then(take);
  }, [answer, take]);
  const load = useCallback(async () => take(await readRequest(token)), [token, take]);
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
  return state.request.documents.length === 0 ? texts.none.title : state.request.title;
}
