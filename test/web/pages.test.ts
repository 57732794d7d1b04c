import { expect, test } from "bun:test";
import { PAGE_TEXTS, pageAt } from "../../web/app/pages";
import { APP_PAGES, isAppPage, safeNextPath } from "../../worker/contract/pages";

test("every page of the app is preloaded at its path, and nothing at another", () => {
  const paths = ["/", ...APP_PAGES, "/contacts/12"];
  expect(paths.map(pageAt).toSorted()).toEqual(Object.keys(PAGE_TEXTS).sort() as never);
  expect(pageAt("/profile/")).toBe("profile");
  for (const path of ["/constructor", "/nowhere", "/templates/12"]) expect(pageAt(path)).toBeUndefined();
});

test("the pages that the server knows, and to which signing in returns, are the router's", async () => {
  const router = await Bun.file(new URL("../../web/app/router.tsx", import.meta.url)).text();
  const routes = [...router.matchAll(/^ {2}path: "(.+)",$/gm)].map(([, path = ""]) => path);
  expect(routes.sort()).toEqual(["/", ...APP_PAGES, "/contacts/$contactId"].sort());
  for (const path of routes.map((route) => route.replace(/\$\w+/, "12"))) {
    expect(isAppPage(path)).toBe(true);
    expect(safeNextPath(`${path}?a=1#b`)).toBe(`${path}?a=1#b`);
  }
});
