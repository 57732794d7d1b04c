import { expect, test } from "bun:test";
import { LANGUAGES } from "../../worker/contract/options";
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
