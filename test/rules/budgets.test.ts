import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { file } from "bun";
import { buildWeb, loadedBy as loadedFirst } from "../../web/build";
import { LANGUAGES } from "../../worker/contract/options";
import { workerModules } from "../support/runtime/workerd";
import { ROOT } from "./sources";

/** Checks bytes over the wire and requests; times are measured by the benchmarks. */
const KB = 1024;
const DIST = join(ROOT, "web/dist");
setDefaultTimeout(240_000);

let chunks: string[] = [];

beforeAll(async () => {
  await buildWeb();
  // The folder has those of the last build, too.
  chunks = (await file(join(DIST, "build.json")).json()).assets;
});

test("the recipient's page: at most 90 KB and 8 requests in any language", async () => {
  const files = await loadedBy("submit.html");
  const page = await weigh(files);
  const texts = await Promise.all(LANGUAGES.map((language) => weigh([`locales/${language}/submit.json`])));
  // The envelope itself: one request, with the size of a long one.
  expect(page + Math.max(...texts) + KB).toBeLessThanOrEqual(90 * KB);
  expect(files.length + 2).toBeLessThanOrEqual(8);
  expect(files.filter((path) => /\.(?:woff2?|ttf|otf)$/.test(path))).toEqual([]);
});

test("the sign-in page: at most 110 KB in any language, with its form in the HTML", async () => {
  const files = await loadedBy("auth.html");
  const texts = await Promise.all(
    LANGUAGES.map((language) => weigh(["auth", "common"].map((name) => `locales/${language}/${name}.json`))),
  );
  expect((await weigh(files)) + Math.max(...texts)).toBeLessThanOrEqual(110 * KB);
  const [, root = ""] = (await file(join(DIST, "auth.html")).text()).split('<div id="root">');
  for (const part of ["Sign in to Doculopes</h1>", 'role="tab"', 'type="email"', 'type="password"'])
    expect(root).toContain(part);
  // A text that is not bundled shows as its key.
  expect(root).not.toMatch(/(?:>|label="|title=")(?:[a-z]+[A-Z]\w*|[a-z]+\.\w+)[<"]/);
  // The security policy must allow none of them.
  expect(root).not.toMatch(/ style=|<script|<style/);
});

test("the requestor's home, signed in: at most 190 KB", async () => {
  const files = await loadedBy("index.html", "home");
  expect((await weigh(files)) + (await weighTexts())).toBeLessThanOrEqual(190 * KB);
});

test("only the wizard loads the phone library, never a first page", async () => {
  const isPhoneLibrary = async (path: string) =>
    path.endsWith(".js") && (await file(join(DIST, path)).text()).includes("INVALID_COUNTRY");
  const found = await Promise.all(chunks.map((name) => isPhoneLibrary(`assets/${name}`)));
  expect(found).toContain(true);
  const pages = [await loadedBy("submit.html"), await loadedBy("auth.html")];
  for (const route of ["home", "contacts", "templates", "profile"])
    pages.push(await loadedBy("index.html", route));
  for (const path of new Set(pages.flat())) expect([path, await isPhoneLibrary(path)]).toEqual([path, false]);
});

test("no page requests anything from a third party", async () => {
  for (const page of ["index.html", "auth.html", "submit.html"]) {
    const html = await file(join(DIST, page)).text();
    expect([...html.matchAll(/(?:src|href)="(https?:)?\/\/[^"]*"/g)].map(([found]) => found)).toEqual([]);
  }
});

test("the Worker's script: at most 256 KiB compressed, without what few calls need", async () => {
  const modules = await workerModules("worker/cloudflare.ts", { minify: true });
  const atStart = modules.filter(({ readAtStart }) => readAtStart).map(({ contents }) => contents);
  expect(gzipSync(atStart.join("")).length).toBeLessThanOrEqual(256 * KB);
  // zod's messages in fifty languages, which are bundled if `z` is imported by name; and checks of passkeys.
  expect(atStart.join("")).not.toMatch(/erwartet|android-safetynet/);
  expect(modules.map(({ contents }) => contents).join("")).toContain("android-safetynet");
});

const loadedBy = (page: string, ...routes: string[]) => loadedFirst(DIST, page, routes.map(chunkOf));

/** The chunk of a screen that is loaded on demand. */
function chunkOf(route: string): string {
  const found = chunks.find((name) => new RegExp(`^${route}-[a-z0-9]{8}\\.js$`).test(name));
  if (!found) throw new Error(`No chunk is called ${route}`);
  return `assets/${found}`;
}

/** The texts of home and of what opens there; those of administration, integrations and of the recipient's page are not among them. */
async function weighTexts(): Promise<number> {
  const names = await readdir(join(DIST, "locales/en"));
  const needed = names.filter(
    (name) =>
      /\.json$/.test(name) &&
      !/^(?:submit|submit-steps|mail|administration|integrations|questions|several|schedules|destinations)\./.test(
        name,
      ),
  );
  return weigh(needed.map((name) => `locales/en/${name}`));
}

/** Bytes over the wire, with brotli where it helps. */
async function weigh(paths: readonly string[]): Promise<number> {
  let sum = 0;
  for (const path of paths) {
    const compressed = file(join(DIST, `${path}.br`));
    sum += (await compressed.exists()) ? compressed.size : file(join(DIST, path)).size;
  }
  return sum;
}
