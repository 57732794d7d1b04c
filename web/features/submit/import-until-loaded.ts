const RETRY_MS = 1000;
const MAX_RETRY_MS = 15_000;

/** Loads a part of the page that is not needed at first. Retries until it succeeds. */
export async function importUntilLoaded<Module>(load: () => Promise<Module>): Promise<Module> {
  for (let delay = RETRY_MS; ; delay = Math.min(delay * 2, MAX_RETRY_MS)) {
    try {
      return await load();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, delay));
    }
  }
}
