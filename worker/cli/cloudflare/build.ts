import { dirname, join } from "node:path";
import { bundleWorker } from "./bundle-worker";
import { ROOT, stageAssets } from "./stage-assets";
import { readWranglerConfig } from "./wrangler-config";

/** The build command of wrangler.toml, which wrangler runs before `wrangler dev` and `wrangler deploy`. */
await stageAssets(join(ROOT, ".wrangler/assets"), { https: process.env.WRANGLER_COMMAND !== "dev" });
await bundleWorker(dirname((await readWranglerConfig()).main));
