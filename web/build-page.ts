import { join } from "node:path";
import { spawn } from "bun";

type PageParts = {
  /** What `#translation` means on the page: see `imports` in package.json. */
  condition?: "visitor";
  /** Runs in the page's head, before its scripts are loaded. */
  headScript: string;
  /** Exports the element that is prerendered. Without it, the page is not prerendered. */
  firstView?: string;
};

/** The three pages, each with its own bundle. Paths are relative to `web/`. */
export const PAGES: Record<string, PageParts> = {
  "index.html": { headScript: "app/head-script.ts" },
  "auth.html": {
    headScript: "features/auth/head-script.ts",
    firstView: "features/auth/first-view.tsx",
    condition: "visitor",
  },
  "submit.html": {
    headScript: "features/submit/head-script.ts",
    firstView: "features/submit/first-view.tsx",
  },
};

/** Puts the head script and the prerendered first view into a built page. */
export async function completePage(
  html: string,
  { headScript, firstView, condition }: PageParts,
): Promise<string> {
  const [script, view] = await Promise.all([
    bundleHeadScript(join(import.meta.dir, headScript)),
    firstView && renderFirstView(join(import.meta.dir, firstView), condition),
  ]);
  return html
    .replace("<!-- %HEAD_SCRIPT% -->", () => `<script>${script}</script>`)
    .replace("<!-- %FIRST_VIEW% -->", () => view ?? "");
}

async function bundleHeadScript(path: string): Promise<string> {
  const result = await Bun.build({
    entrypoints: [path],
    target: "browser",
    format: "iife",
    minify: true,
  });
  const script = await result.outputs[0]?.text();
  if (!script || script.includes("</script")) throw new Error(`${path} cannot be put into the page`);
  return script.trim();
}

/** Runs in a new process, so that a rebuild never renders components that the previous build has loaded. */
async function renderFirstView(path: string, condition: PageParts["condition"]): Promise<string> {
  const conditions = condition ? [`--conditions=${condition}`] : [];
  const tool = spawn([process.execPath, ...conditions, join(import.meta.dir, "prerender.tsx"), path], {
    env: { ...process.env, NODE_ENV: "production" },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [html, problems] = await Promise.all([
    new Response(tool.stdout).text(),
    new Response(tool.stderr).text(),
  ]);
  if ((await tool.exited) !== 0) throw new Error(`${path}: ${problems}`);
  return html;
}
