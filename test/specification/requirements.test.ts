import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { REQUIREMENTS } from "./requirements";

const sourceOf = (file: string) => Bun.file(join(import.meta.dir, "..", file)).text();

describe.each(Object.entries(REQUIREMENTS))("%s", (_, requirements) => {
  test.each(requirements.map((requirement) => [requirement[0], requirement] as const))(
    "%s",
    async (_what, [, on, ...files]) => {
      const sources = await Promise.all(files.map(sourceOf));
      for (const source of sources) expect(source).toMatch(/\btest(?:\.(?:each|concurrent))?\(|\w+Suite\(/);
      if (on === "both") expect(sources.join("\n")).toContain("describeApi");
    },
  );
});
