/**
 * `bun run bench [row ...] [--json]`: the app beside a bare runtime in the same run. Without names it runs every row
 * in five to ten minutes. On a shared machine ratios are meaningful; seconds are not.
 */
import { parseArgs } from "node:util";
import { records, table } from "./harness/report";
import type { Finding, Row } from "./harness/row";
import { answers } from "./rows/answers";
import { board } from "./rows/board";
import { bulk } from "./rows/bulk";
import { linkRead } from "./rows/link-read";
import { list, lists } from "./rows/list";
import { loop } from "./rows/loop";
import { million } from "./rows/million";
import { pages } from "./rows/pages";
import { released } from "./rows/released";
import { schedules } from "./rows/schedules";
import { search } from "./rows/search";
import { start } from "./rows/start";
import { tenThousand } from "./rows/ten-thousand";
import { uploads } from "./rows/upload";
import { worker } from "./rows/worker";
import { writes } from "./rows/writes";
import { zip } from "./rows/zip";

const ROWS: Record<string, Row> = {
  pages,
  "ten-thousand": tenThousand,
  board,
  answers,
  start,
  "link-read": linkRead,
  loop,
  list,
  lists,
  search,
  writes,
  bulk,
  upload: uploads,
  zip,
  worker,
  released,
  million,
  schedules,
};
/** Only by name. */
const LONG = ["million", "schedules"];

const { values, positionals } = parseArgs({
  options: { json: { type: "boolean", default: false } },
  allowPositionals: true,
});
const unknown = positionals.filter((name) => !ROWS[name]);
if (unknown.length > 0) {
  process.stderr.write(`Unknown: ${unknown.join(", ")}. Rows: ${Object.keys(ROWS).join(", ")}\n`);
  process.exit(1);
}

const findings: Finding[] = [];
for (const [name, row] of Object.entries(ROWS)) {
  if (positionals.length > 0 ? !positionals.includes(name) : LONG.includes(name)) continue;
  process.stderr.write(`${name} ...`);
  const started = performance.now();
  findings.push(...(await row()));
  process.stderr.write(` ${Math.round((performance.now() - started) / 1000)} s\n`);
}
process.stdout.write(
  values.json ? `${JSON.stringify(records(findings), null, 2)}\n` : `${table(findings)}\n`,
);
