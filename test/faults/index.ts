/**
 * The fault tests: `bun run faults` runs all in their long form, `bun run faults locked kills` some; `--seed N`,
 * `--kills N`, `--short`.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Outcome } from "./row";
import { ROWS } from "./rows";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    kills: { type: "string" },
    seed: { type: "string", default: "6" },
    short: { type: "boolean", default: false },
  },
});
const unknown = positionals.filter((name) => !(name in ROWS));
if (unknown.length > 0) {
  process.stderr.write(`No such fault: ${unknown.join(", ")}. There are: ${Object.keys(ROWS).join(", ")}\n`);
  process.exit(2);
}
const chosen = Object.entries(ROWS).filter(
  ([name]) => positionals.length === 0 || positionals.includes(name),
);
let failed = 0;
for (const [name, row] of chosen) {
  const started = performance.now();
  const folder = await mkdtemp(join(tmpdir(), `doculopes-${name}-`));
  const options = {
    folder,
    seed: Number(values.seed),
    long: !values.short,
    kills: values.kills === undefined ? undefined : Number(values.kills),
  };
  const outcome: Outcome = await row(options).catch((error: unknown) => ({
    measured: {},
    problems: [String(error instanceof Error ? error.stack : error)],
  }));
  await rm(folder, { recursive: true, force: true });
  if (outcome.problems.length > 0) failed += 1;
  const seconds = Math.round((performance.now() - started) / 1000);
  process.stdout.write(
    `${JSON.stringify({ row: name, seed: options.seed, seconds, ...outcome }, null, 2)}\n`,
  );
}
process.exit(failed === 0 ? 0 : 1);
