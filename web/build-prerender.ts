import { join } from "node:path";
import { spawn } from "bun";

/**
 * Puts into a page what must not wait for its scripts: the script that asks for texts and data, and the first
 * view as React would draw it. `feature` is the folder of the page's `head-script.ts` and `prerender.tsx`.
 */
export async function prerenderPage(html: string, feature: string): Promise<string> {
  const folder = join(import.meta.dir, "features", feature);
  const [headScript, firstView] = await Promise.all([
    bundleHeadScript(join(folder, "head-script.ts")),
    renderFirstView(join(folder, "prerender.tsx")),
  ]);
  return html
    .replace("<!-- %HEAD_SCRIPT% -->", () => `<script>${headScript}</script>`)
    .replace("<!-- %FIRST_VIEW% -->", () => firstView);
}

async function bundleHeadScript(path: string): Promise<string> {
  const result = await Bun.build({
    entrypoints: [path],
    target: "browser",
    format: "iife",
    minify: true,
  });
  const script = await result.outputs[0]?.text();
  if (!script || script.includes("</script")) throw new Error(`${path} cannot stand in the page`);
  return script.trim();
}

/** In a process of its own, so that a rebuild never draws with the components of the build before. */
async function renderFirstView(path: string): Promise<string> {
  const tool = spawn([process.execPath, path], {
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
