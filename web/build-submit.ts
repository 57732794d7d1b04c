import { join } from "node:path";
import { spawn } from "bun";

const SUBMIT = join(import.meta.dir, "features/submit");

/**
 * Puts into the recipient's page what must not wait for its scripts: the script that asks for texts and data,
 * and the first step as React would draw it.
 */
export async function fillSubmitPage(html: string): Promise<string> {
  const [early, firstStep] = await Promise.all([earlyScript(), drawFirstStep()]);
  return html
    .replace("<!-- %EARLY_SCRIPT% -->", () => `<script>${early}</script>`)
    .replace("<!-- %FIRST_STEP% -->", () => firstStep);
}

async function earlyScript(): Promise<string> {
  const result = await Bun.build({
    entrypoints: [join(SUBMIT, "early.ts")],
    target: "browser",
    format: "iife",
    minify: true,
  });
  const script = await result.outputs[0]?.text();
  if (!script || script.includes("</script")) throw new Error("The early script cannot stand in the page");
  return script.trim();
}

/** In a process of its own, so that a rebuild never draws with the components of the build before. */
async function drawFirstStep(): Promise<string> {
  const tool = spawn([process.execPath, join(SUBMIT, "prerender.tsx")], {
    env: { ...process.env, NODE_ENV: "production" },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [html, problems] = await Promise.all([
    new Response(tool.stdout).text(),
    new Response(tool.stderr).text(),
  ]);
  if ((await tool.exited) !== 0) throw new Error(`The recipient's first step: ${problems}`);
  return html;
}
