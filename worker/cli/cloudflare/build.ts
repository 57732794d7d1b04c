import { join } from "node:path";
import { ROOT, stageAssets } from "./stage-assets";

/** The build command of wrangler.toml, which wrangler runs before `wrangler dev` and `wrangler deploy`. */
await stageAssets(join(ROOT, ".wrangler/assets"), { https: process.env.WRANGLER_COMMAND !== "dev" });
