import { RotateCw } from "lucide-react";
import { useEffect, useState, useSyncExternalStore } from "react";
import { Button } from "../../../components/ui/button";
import { Spinner } from "../../../components/ui/spinner";
import { importUntilLoaded } from "../import-until-loaded";
import { T, useTexts } from "../translation/use-texts";

export type LaterSteps = typeof import("./later-steps");

const MAX_WAIT_MS = 3000;
/** Some browsers never request a script again that failed once. Then only a reload helps. */
const OFFER_RELOAD_MS = 8000;

let loading: Promise<void> | undefined;
let loaded: LaterSteps | null = null;
const listeners = new Set<() => void>();

/** Loads the steps after the first. Retries until it succeeds. */
export function loadLaterSteps(): Promise<void> {
  loading ??= load();
  return loading;
}

/** Calls `show` once the later steps can be shown at once, or when that takes too long. */
export function whenLaterStepsLoaded(show: () => void): void {
  const timeout = new Promise((resolve) => setTimeout(resolve, MAX_WAIT_MS));
  if (loaded) show();
  else void Promise.race([loadLaterSteps(), timeout]).then(show);
}

async function load(): Promise<void> {
  loaded = await importUntilLoaded(() => import("./later-steps"));
  for (const listener of listeners) listener();
}

/** The steps after the first; null while they are loading. */
export function useLaterSteps(): LaterSteps | null {
  return useSyncExternalStore(
    subscribe,
    () => loaded,
    () => null,
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
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
