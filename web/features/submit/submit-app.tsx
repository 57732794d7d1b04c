import { ShieldCheck } from "lucide-react";
import { useCallback, useEffect, useMemo, useState } from "react";
import type { Language } from "../../../worker/contract/options";
import { PRODUCT_NAME } from "../../../worker/contract/product";
import { hasChosenLanguage, storeLanguage } from "../../lib/language";
import { onFirstInput } from "../../lib/on-first-input";
import { FailedPage } from "./page/failed-page";
import { PageHeader } from "./page/page-header";
import { RequestCard, RequestCardSkeleton } from "./request/request-card";
import {
  type Receipt,
  type RequestState,
  requestorName,
  type Submission,
  toRequestState,
} from "./request/request-state";
import { requestTitle } from "./request/request-texts";
import {
  type ApiResponse,
  fetchRequest,
  fetchTexts,
  type RecipientRequest,
  submissionUrl,
} from "./request/submission-api";
import { setShownLanguage, shownLanguage } from "./translation/shown-language";
import { type FirstTexts, type Texts, TextsProvider, translate, useTexts } from "./translation/use-texts";
import {
  LoadingStep,
  loadLaterSteps,
  loadStepTexts,
  useLaterSteps,
  useStepTexts,
} from "./wizard/load-later-steps";
import { completeReceipt, saveReceipt } from "./wizard/saved-progress";
import { Wizard } from "./wizard/wizard";

type SubmitAppProps = {
  token: string;
  language: Language;
  texts: FirstTexts;
  /** Absent when prerendering. */
  response?: Promise<ApiResponse>;
  /** Whether Next was pressed before hydration. */
  wasSubmitted?: () => boolean;
};

export function SubmitApp({ token, language, texts, response, wasSubmitted = never }: SubmitAppProps) {
  const [translation, setTranslation] = useState({ language, texts });
  const { state, setState, load } = useRequest(token, response);
  const [receipt, setReceipt] = useState<Receipt | null>(null);
  const [step, setStep] = useState(0);
  const laterSteps = useLaterSteps();
  const stepTexts = useStepTexts();
  const allTexts = useMemo(() => ({ ...translation.texts, ...stepTexts }), [translation.texts, stepTexts]);
  useEffect(() => onFirstInput(loadLaterSteps), []);
  const ready = state.kind === "ready";
  useEffect(() => (ready ? reportOpened(token) : undefined), [ready, token]);
  const request = state.kind === "ready" ? state.request : null;
  const submission = state.kind === "completed" ? state.submission : null;
  const earlier = useMemo(() => submission && completeReceipt(token, submission), [token, submission]);
  const isFinal = receipt !== null || !(isOpen(state) || state.kind === "failed");
  useEffect(() => {
    if (earlier) saveReceipt(token, earlier);
  }, [earlier, token]);
  const finish = (submitted: Submission) => {
    const { title, subject, user } = request ?? {};
    const made = { ...submitted, request: title && user ? { title, subject: subject ?? null, user } : null };
    saveReceipt(token, made);
    setReceipt(made);
  };
  const showLanguage = useCallback(async (chosen: Language) => {
    // At once: what begins to load meanwhile is in this language too.
    setShownLanguage(chosen);
    const [texts, showStepTexts] = await Promise.all([fetchTexts(chosen), loadStepTexts(chosen)]);
    if (shownLanguage() !== chosen) return;
    showStepTexts();
    setTranslation({ language: chosen, texts });
  }, []);
  const changeLanguage = (chosen: Language) => {
    storeLanguage(chosen);
    return showLanguage(chosen);
  };
  const { brand = null, language: asked } = request ?? ("brand" in state ? state : {});
  const [branding, setBranding] = useState<Pick<
    typeof import("./page/brand"),
    "BrandMark" | "BrandFooter"
  > | null>(null);
  useEffect(() => {
    if (!brand) return;
    // Without it, the page works as well.
    import("./page/brand").then(
      ({ applyColor, BrandMark, BrandFooter }) => {
        applyColor(brand.color);
        setBranding({ BrandMark, BrandFooter });
      },
      () => {},
    );
  }, [brand]);
  useTitle(titleOf(allTexts, state, receipt !== null), brand?.name ?? PRODUCT_NAME);
  const isMarked = branding && (brand?.name || brand?.logo);
  useEffect(() => {
    // What the recipient has chosen is theirs.
    if (asked && asked !== shownLanguage() && !hasChosenLanguage()) void showLanguage(asked);
  }, [asked, showLanguage]);
  return (
    <TextsProvider language={translation.language} texts={allTexts}>
      <PageHeader onLanguage={changeLanguage} mark={isMarked && <branding.BrandMark brand={brand} />} />
      <main className="mx-auto w-full max-w-160 pt-2 pb-8 sm:pt-4 sm:pb-16">
        {state.kind === "failed" && <FailedPage response={state.response} onRetry={load} />}
        {isFinal &&
          (laterSteps ? (
            <laterSteps.FinalPage state={state} receipt={receipt ?? earlier} again={!receipt} brand={brand} />
          ) : (
            <LoadingStep />
          ))}
        {state.kind !== "failed" && !isFinal && (
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
              onDone={finish}
              onStep={setStep}
              wasSubmitted={wasSubmitted}
            />
            {request && <PrivacyNote user={request.user} />}
          </>
        )}
        {branding && brand?.footer && <branding.BrandFooter text={brand.footer} />}
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

function useRequest(token: string, response: Promise<ApiResponse> | undefined) {
  const [state, setState] = useState<RequestState>({ kind: "loading" });
  const handleResponse = useCallback((response: ApiResponse) => {
    setState(toRequestState(response));
    delete document.documentElement.dataset.request;
  }, []);
  useEffect(() => {
    void response?.then(handleResponse);
  }, [response, handleResponse]);
  const load = useCallback(async () => handleResponse(await fetchRequest(token)), [token, handleResponse]);
  return { state, setState, load };
}

function useTitle(title: string, sender: string): void {
  useEffect(() => {
    document.title = `${title} | ${sender}`;
  }, [title, sender]);
}

function titleOf(
  texts: FirstTexts & Partial<Pick<Texts, "complete" | "expired" | "none">>,
  state: RequestState,
  sent: boolean,
): string {
  if (sent && texts.complete) return texts.complete.title;
  if (state.kind === "failed" && state.response.status !== 0) return texts.invalid.title;
  if (isOpen(state) && state.kind === "ready")
    return requestTitle(state.request, (key, values) => translate(texts, key, values));
  const { kind } = state;
  const final =
    kind === "ready" ? texts.none : kind === "completed" || kind === "expired" ? texts.expired : null;
  return final?.title ?? texts.pageTitle;
}

const ACTIONS = ["pointerdown", "keydown"] as const;

/**
 * Reports that the request was opened, at the first key or pointer press. Link scanners do neither.
 * @returns a cleanup function
 */
function reportOpened(token: string): () => void {
  const stop = () => {
    for (const action of ACTIONS) removeEventListener(action, report);
  };
  const report = ({ isTrusted }: Event) => {
    if (!isTrusted) return;
    stop();
    // The recipient has no use for a failure message.
    fetch(`${submissionUrl(token)}/opened`, { method: "POST", keepalive: true }).catch(() => {});
  };
  for (const action of ACTIONS) addEventListener(action, report, { passive: true });
  return stop;
}
