/** A sample: its labels and its value. */
export type Sample = readonly [labels: Record<string, string>, value: number, suffix?: string];

/** A metric in Prometheus' text format, with its HELP and TYPE lines. */
export function family(
  name: string,
  type: "counter" | "gauge" | "histogram",
  help: string,
  samples: Iterable<Sample>,
): string {
  const lines = [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
  for (const [labels, value, suffix = ""] of samples)
    lines.push(`${name}${suffix}${inBraces(labels)} ${value}`);
  return lines.length === 2 ? "" : `${lines.join("\n")}\n`;
}

function inBraces(labels: Record<string, string>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

const escaped = (value: string) =>
  value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
