import { LOADING_RETRIES, retry } from "./retry";
import { createStore } from "./store";

type Later<Module> = {
  /** Starts loading, unless it has begun. */
  load: () => Promise<Module>;
  /** Null until it is loaded. */
  get: () => Module | null;
  use: () => Module | null;
};

/** Code that the first view does without. Loading it is repeated until it succeeds. `alongside` loads its texts. */
export function createLater<Module>(
  importModule: () => Promise<Module>,
  alongside: () => Promise<unknown>,
): Later<Module> {
  const loaded = createStore<Module | null>(null);
  let loading: Promise<Module> | undefined;
  const load = async () => {
    const [module] = await Promise.all([retry(importModule, { policy: LOADING_RETRIES }), alongside()]);
    loaded.set(module);
    return module;
  };
  return {
    load: () => {
      loading ??= load();
      return loading;
    },
    get: loaded.get,
    use: loaded.use,
  };
}
