import { cp, mkdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { file, write } from "bun";
import { buildWeb } from "../../../web/build";
import { assetRules } from "../../adapters/cloudflare/asset-rules";
import { API_DESCRIPTION } from "../../adapters/cloudflare/built-texts";
import type { Transport } from "../../lib/security-headers";
import { generateApiDescription } from "../api-description";

export const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const DIST = join(ROOT, "web/dist");
/** Build output for the Bun server only, and compressed copies: Cloudflare compresses itself. */
const EXCLUDED = /(?:^|\/)(?:csp\.json|build\.json)$|\.(?:br|gz)$/;

/** Builds the web app and copies what Cloudflare serves into `folder`, with its header rules. */
export async function stageAssets(folder: string, options: Transport): Promise<void> {
  await buildWeb();
  const target = `${folder}.${process.pid}`;
  const old = `${folder}.old.${process.pid}`;
  await mkdir(dirname(folder), { recursive: true });
  await cp(DIST, target, { recursive: true, filter: (path) => !EXCLUDED.test(path) });
  const { scriptHashes } = await file(join(DIST, "csp.json")).json();
  for (const [name, text] of Object.entries(assetRules({ ...options, scriptHashes })))
    await write(join(target, name), text);
  await writeApiDescription(target);
  await rename(folder, old).catch(() => {});
  await rename(target, folder);
  await rm(old, { recursive: true, force: true });
}

/** Writes the API's description, which the Worker reads from this folder of static assets. */
export async function writeApiDescription(folder: string): Promise<void> {
  await write(join(folder, API_DESCRIPTION), JSON.stringify(await generateApiDescription()));
}
