import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { CHECKLIST, FAULTS, TRAPS } from "./checklist";

const sourceOf = (file: string) => Bun.file(join(import.meta.dir, "..", file)).text();

/** Whether the file has a test of this name; its beginning is enough. */
const holds = (source: string, name: string) =>
  source.split("\n").some((text) => /["`]/.test(text.split(name)[0] ?? "") && text.includes(name));

describe.each(Object.entries({ traps: TRAPS, faults: FAULTS, ...CHECKLIST }))("%s", (_, lines) => {
  test.each(lines.map((line) => [line.what, line] as const))("%s", async (_what, { runtime, proofs }) => {
    expect(proofs.length).toBeGreaterThan(0);
    const sources = await Promise.all(proofs.map(([file]) => sourceOf(file)));
    const missing = proofs.filter(([, name], index) => !holds(sources[index] ?? "", name));
    expect(missing).toEqual([]);
    if (runtime === "both") expect(sources.join("\n")).toContain("describeApi");
  });
});
