/**
 * Renders every screen into a folder of PNGs and prints the problems that the layout check reports: `bun
 * test/support/engines/render.ts webkit de dark 390x844 /tmp/screens`
 */
import { join } from "node:path";
import { write } from "bun";
import { LANGUAGES, THEMES } from "../../../worker/contract/options";
import { startEngine } from ".";
import { startDemoSite } from "./site";
import { ENGINES } from "./tab";
import { tourAll } from "./tours";

const [engineName, languageName, themeName, size = "", folder = "."] = process.argv.slice(2);
const name = ENGINES.find((known) => known === engineName) ?? "chromium";
const language = LANGUAGES.find((known) => known === languageName) ?? "en";
const theme = THEMES.find((known) => known === themeName) ?? "light";
const [width = 1280, height = 800] = size.split("x").map(Number);

process.env.WEBKIT_DISABLE_COMPOSITING_MODE = "0";
const site = await startDemoSite();
const engine = await startEngine(name);
let count = 0;
await tourAll(site, engine, { language, theme }, (page) => async (screen, options) => {
  if (width >= (options?.below ?? Number.POSITIVE_INFINITY)) return;
  count += 1;
  await page.resize(width, height);
  const problems = await page.layoutProblems();
  const file = `${String(count).padStart(2, "0")} ${screen}.png`;
  await write(join(folder, file), await page.tab.screenshot());
  process.stdout.write(`${[file, ...problems].join("\n  ")}\n`);
  await page.resize(1280, 800);
}).finally(async () => {
  await engine.close();
  await site.stop();
});
