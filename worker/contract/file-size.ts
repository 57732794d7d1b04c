const UNITS = ["bytes", "kb", "mb", "gb"] as const;
export type SizeUnit = (typeof UNITS)[number];

/** A size in the largest unit of base 1024 that keeps it at 1 or more, at most two decimals. */
export function scaleBytes(bytes: number): { value: number; unit: SizeUnit } {
  let value = Math.max(0, bytes);
  let unitIndex = 0;
  while (value >= 1024 && unitIndex < UNITS.length - 1) {
    value /= 1024;
    unitIndex += 1;
  }
  return { value: Math.round(value * 100) / 100, unit: UNITS[unitIndex] ?? "bytes" };
}
