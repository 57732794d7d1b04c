import { RotateCw } from "lucide-react";
import { useEffect, useState } from "react";
import type { Language } from "../../../../worker/contract/options";
import { Button } from "../../../components/ui/button";
import { Spinner } from "../../../components/ui/spinner";
import { LOADING_RETRIES, retry } from "../../../lib/retry";
import { createStore } from "../../../lib/store";
import { fetchStepTexts } from "../request/submission-api";
import { shownLanguage } from "../translation/shown-language";
import { type StepTexts, T, useTexts } from "../translation/use-texts";

export type LaterSteps = typeof import("./later-steps");

const MAX_WAIT_MS = 3000;
/** Some browsers never request a script again that failed once. Then only a reload helps. */
const OFFER_RELOAD_MS = 8000;

let loading: Promise<void> | undefined;
const loaded = createStore<LaterSteps | null>(null);
const stepTexts = createStore<StepTexts | null>(null);

/** The steps after the first; null while they are loading. */
export const useLaterSteps = loaded.use;

/** Their texts; null while they are loading. */
export const useStepTexts = stepTexts.use;

/** Loads their texts in another language, if they are needed yet. Returns a function that shows them. */
export async function loadStepTexts(language: Language): Promise<() => void> {
  if (!loading) return () => {};
  const [texts] = await Promise.all([fetchStepTexts(language), loading]);
  return () => stepTexts.set(texts);
}

/** Loads the steps after the first. Retries until it succeeds. */
export function loadLaterSteps(): Promise<void> {
  loading ??= load();
  return loading;
}

/** Calls `show` once the later steps can be shown at once, or when that takes too long. */
export function whenLaterStepsLoaded(show: () => void): void {
  const timeout = new Promise((resolve) => setTimeout(resolve, MAX_WAIT_MS));
  if (loaded.get()) show();
  else void Promise.race([loadLaterSteps(), timeout]).then(show);
}

async function load(): Promise<void> {
  const [texts, steps] = await Promise.all([
    fetchStepTexts(shownLanguage()),
    retry(() => import("./later-steps"), { policy: LOADING_RETRIES }),
  ]);
  stepTexts.set(texts);
  loaded.set(steps);
}

/** Shown while a step, or the request, is loading. */
export function LoadingStep() {
  const { t } = useTexts();
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    void loadLaterSteps();
    const timer = setTimeout(() => setSlow(true), OFFER_RELOAD_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <>
      <p role="status" className="flex min-h-6 items-center gap-2 text-ink-soft">
        <Spinner />
        <T k="loading" />
      </p>
      {slow && (
        <Button className="mt-4" onClick={() => location.reload()}>
          <RotateCw aria-hidden />
          {t("reload")}
        </Button>
      )}
    </>
  );
}
