import { join } from "node:path";
import { ROOT, stageAssets } from "./stage-assets";

/** What wrangler itself calls, by wrangler.toml, before `wrangler dev` and `wrangler deploy`. */
await stageAssets(join(ROOT, ".wrangler/assets"), { https: process.env.WRANGLER_COMMAND !== "dev" });
