import { type Finding, passed, ratioOf } from "./row";

const COLUMNS = [76, 20, 38, 8, 10] as const;

/** Prints the findings as a table. */
export function table(findings: readonly Finding[]): string {
  const lines = [["what", "measured", "baseline", "ratio", "goal", ""], ...findings.map(cells)];
  return lines
    .map((line) =>
      line
        .map((cell, index) => cell.padEnd(COLUMNS[index] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** The findings with ratio and verdict, as data. */
export function records(findings: readonly Finding[]) {
  return findings.map((finding) => ({ ...finding, ratio: ratioOf(finding), passed: passed(finding) }));
}

function cells(finding: Finding): string[] {
  const { what, value, unit, baseline } = finding;
  const ratio = ratioOf(finding);
  const verdict = passed(finding);
  return [
    what,
    `${short(value)} ${unit}`,
    baseline ? `${short(baseline.value)} ${baseline.name}` : "",
    ratio === undefined ? "" : ratio.toFixed(2),
    goalText(finding),
    verdict === undefined ? "" : verdict ? "pass" : "SHORT",
  ];
}

function goalText({ goal }: Finding): string {
  if (!goal) return "";
  const sign = goal.of === "ratio" ? "x" : "";
  return goal.atLeast === undefined ? `<= ${goal.atMost}${sign}` : `>= ${goal.atLeast}${sign}`;
}

const short = (value: number) =>
  Math.abs(value) >= 100 ? Math.round(value).toLocaleString("en") : String(Number(value.toPrecision(3)));
