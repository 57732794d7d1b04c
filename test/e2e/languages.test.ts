import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { LANGUAGES } from "../../worker/contract/options";
import { PHONE, waitUntilLoaded } from "../support/browser/browser";
import { setUpTestSite } from "../support/browser/site-set-up";
import { openRequestor } from "../support/browser/submit-page";

const site = setUpTestSite();

const TITLES = {
  en: "Sign In | Doculopes",
  fr: "Connexion | Doculopes",
  es: "Iniciar sesión | Doculopes",
  zh: "登录 | Doculopes",
  de: "Anmelden | Doculopes",
  pt: "Entrar | Doculopes",
  ja: "ログイン | Doculopes",
};

/** The elements that extend beyond the right edge of a phone's screen, except inside scrollable areas. */
function overflowing(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    const found =
      document.documentElement.scrollWidth > width
        ? [`the page is ${document.documentElement.scrollWidth} wide`]
        : [];
    for (const element of document.querySelectorAll<HTMLElement>("button, a, h1, h2, label, input, p")) {
      const box = element.getBoundingClientRect();
      if (box.width > 0 && box.height > 0 && box.right > width + 1)
        found.push(
          `${element.tagName} “${element.textContent?.slice(0, 40)}” ends at ${Math.round(box.right)}`,
        );
    }
    return found;
  });
}

test.each([...LANGUAGES])("a browser with the language %s sees the app in it", async (language) => {
  const { page } = await site.visit("/auth", { locale: language });
  await page.waitForFunction((title) => document.title === title, TITLES[language]);
  expect(await page.evaluate(() => document.documentElement.lang)).toBe(language);
  // The English page is prerendered with its title.
  await page.waitForFunction((tag) => localStorage.getItem("i18nextLng")?.startsWith(tag), language);
});

test.each([
  [["en-US@posix"], "Your Information"],
  [["de-DE@euro", "en"], "Ihre Angaben"],
  [["en-US.UTF-8", "de"], "Your Information"],
  [["fr_FR"], "Vos informations"],
  [["x", "", "C.UTF-8"], "Your Information"],
  [undefined, "Your Information"],
])("a browser with the languages %j sees every page", async (languages, heading) => {
  const ada = await openRequestor(site, "tags@example.com");
  const { submissionToken } = await ada.requestDocuments([{ name: "Contract" }]);
  const { page } = await site.visit("/robots.txt");
  await page.addInitScript((languages) => {
    Object.defineProperty(navigator, "languages", { get: () => languages });
  }, languages);
  await page.goto(`${site.url}/submit/${submissionToken}`);
  await page.getByRole("heading", { name: heading }).waitFor();
  await page.getByRole("heading", { level: 1, name: "Papers for the engine" }).waitFor();
  await page.goto(`${site.url}/auth`);
  await page.getByRole("tab").first().waitFor();
  await page.context().addCookies(await ada.page.context().cookies());
  await page.goto(`${site.url}/`);
  await page.getByRole("table").getByText("Papers for the engine").waitFor();
});

test("only the texts of one language are loaded", async () => {
  const { page } = await site.visit("/auth", { locale: "pt" });
  const paths: string[] = [];
  page.on("request", (request) => paths.push(new URL(request.url()).pathname));
  await page.reload();
  await page.getByRole("heading", { level: 1 }).waitFor();
  const languages = paths.flatMap((path) => /^\/locales\/(\w+)\//.exec(path)?.[1] ?? []);
  expect(new Set(languages)).toEqual(new Set(["pt"]));
});

test("on a phone nothing of the signed-in screens overflows in French", async () => {
  const { page } = await site.signUp("phone-fr@example.com", { ...PHONE, locale: "fr" });
  const data = (more: object) => ({ data: more });
  await page.request.post(
    `${site.url}/api/requests`,
    data({ isDraft: true, subject: "Unterlagen für die Steuererklärung des vergangenen Jahres" }),
  );
  await page.request.post(
    `${site.url}/api/templates`,
    data({ name: "Donaudampfschifffahrtsgesellschaft", fields: [{ name: "Vertrag" }] }),
  );
  await page.request.post(
    `${site.url}/api/contacts`,
    data({
      firstName: "Wolfeschlegelsteinhausen",
      email: "a.very.long.address.indeed@subdomain.example.com",
    }),
  );
  for (const path of [
    "/",
    "/?wizard=new",
    "/templates",
    "/templates?template=new",
    "/contacts",
    "/contacts?contact=new",
    "/integrations",
    "/profile",
  ]) {
    await page.goto(site.url + path);
    await page.getByRole("heading", { level: 1 }).first().waitFor({ state: "attached" });
    await waitUntilLoaded(page);
    expect({ path, overflow: await overflowing(page) }).toEqual({ path, overflow: [] });
  }
}, 60_000);

test("on a phone nothing of the recipient's page overflows in French", async () => {
  const ada = await openRequestor(site, "ask-fr@example.com");
  const envelope = await ada.requestDocuments([
    { name: "Donaudampfschifffahrtsgesellschaftskapitänspatent", required: true },
  ]);
  const { page } = await site.visit(`/submit/${envelope.submissionToken}`, { ...PHONE, locale: "fr" });
  await page.getByRole("heading", { level: 1 }).waitFor();
  expect(await page.evaluate(() => document.documentElement.lang)).toBe("fr");
  expect(await overflowing(page)).toEqual([]);
  for (const field of await page.getByRole("textbox").all()) await field.fill("ada@example.com");
  await page.locator("form button[type=submit], button[type=submit]").first().click();
  await page.locator("input[type=file]").first().waitFor({ state: "attached" });
  expect(await overflowing(page)).toEqual([]);
}, 30_000);
