import { expect, test } from "bun:test";
import { PAGE_TEXTS, pageAt } from "../../web/app/pages";
import { APP_PAGES } from "../../worker/lib/site-paths";

test("every page of the app is preloaded at its path, and nothing at another", () => {
  const paths = ["/", ...APP_PAGES, "/contacts/12"];
  expect(paths.map(pageAt).toSorted()).toEqual(Object.keys(PAGE_TEXTS).sort() as never);
  expect(pageAt("/profile/")).toBe("profile");
  for (const path of ["/constructor", "/nowhere", "/templates/12"]) expect(pageAt(path)).toBeUndefined();
});
