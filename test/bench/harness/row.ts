/** One measurement, with a baseline of the same run if there is one. */
export type Finding = {
  what: string;
  unit: string;
  value: number;
  baseline?: { name: string; value: number };
  /** The value compared with the goal: `value` divided by the baseline's, or `value` itself. */
  goal?: { of: "ratio" | "value"; atLeast?: number; atMost?: number };
};

/** A row of the table: starts what it needs, measures it and cleans up. */
export type Row = () => Promise<Finding[]>;

export const ratioOf = ({ value, baseline }: Finding): number | undefined =>
  baseline && value / baseline.value;

/** Whether the goal is met; undefined if there is none. */
export function passed(finding: Finding): boolean | undefined {
  const { goal, value } = finding;
  if (!goal) return undefined;
  const compared = goal.of === "ratio" ? (ratioOf(finding) ?? Number.NaN) : value;
  return compared >= (goal.atLeast ?? -Infinity) && compared <= (goal.atMost ?? Infinity);
}

/** The median. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}
