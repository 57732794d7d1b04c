/** The long run of the faults: `bun run faults`, with `--kills N` and `--seed N`. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { buildWeb } from "../../web/build";
import { killRounds } from "./kill-rounds";

const { values } = parseArgs({
  options: { kills: { type: "string", default: "200" }, seed: { type: "string", default: "6" } },
});
await buildWeb();
const folder = await mkdtemp(join(tmpdir(), "doculopes-faults-"));
const outcome = await killRounds(folder, { seed: Number(values.seed), kills: Number(values.kills) });
await rm(folder, { recursive: true, force: true });
process.stdout.write(`${JSON.stringify({ seed: values.seed, ...outcome }, null, 2)}\n`);
process.exit(outcome.problems.length === 0 ? 0 : 1);
