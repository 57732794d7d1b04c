import { LOADING_RETRIES, retry } from "./retry";
import { createStore } from "./store";

/** Code that the first view does without. Loading it is repeated until it succeeds. `alongside` loads its texts. */
export function createLater<Module>(importModule: () => Promise<Module>, alongside: () => Promise<unknown>) {
  const loaded = createStore<Module | null>(null);
  let loading: Promise<Module> | undefined;
  const load = async () => {
    const onFailure = () => reloadIfServed(importModule);
    const loading = retry(importModule, { policy: LOADING_RETRIES, onFailure });
    const [module] = await Promise.all([loading, alongside()]);
    loaded.set(module);
    return module;
  };
  return {
    /** Starts loading, unless it has begun. */
    load: () => {
      loading ??= load();
      return loading;
    },
    /** Null until it is loaded. */
    get: loaded.get,
    use: loaded.use,
  };
}

/**
 * Some browsers never request a script again that failed once: as soon as the server is there again, only a reload helps. A
 * page that was reloaded is not reloaded again.
 */
async function reloadIfServed(importModule: () => Promise<unknown>): Promise<null> {
  const isServed = await fetch("/api/live", { cache: "no-store" }).then(
    ({ ok }) => ok,
    () => false,
  );
  if (!isServed) return null;
  await refreshPreloads();
  const [visit] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  if (visit?.type !== "reload") await importModule().catch(() => location.reload());
  return null;
}

/** WebKit uses a failed preload again, even after a reload, until the script is fetched past its cache. */
async function refreshPreloads(): Promise<void> {
  const links = document.querySelectorAll<HTMLLinkElement>("link[rel=modulepreload]");
  await Promise.allSettled([...links].map(({ href }) => fetch(href, { cache: "reload" })));
}
