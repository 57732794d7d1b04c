import type { Page } from "playwright-core";

/** Holds the next call to a path, which must not be a read. @returns what lets it go on */
export async function holdNextCall(page: Page, path: string): Promise<() => void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(
    path,
    async (route) => {
      await released;
      await route.continue();
    },
    { times: 1 },
  );
  return release;
}
