import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { Glob } from "bun";
import { PRODUCT_NAME } from "../../worker/contract/product";
import { TEXTS } from "./texts";

const ROOT = join(import.meta.dir, "../..");

async function read(pattern: string): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for await (const path of new Glob(pattern).scan(ROOT))
    files.set(path, await Bun.file(join(ROOT, path)).text());
  return files;
}

const english = [...(await read("locales/en/*.json")).values()]
  .join("\n")
  .replaceAll("{{product}}", PRODUCT_NAME);
const code = [...(await read("{web,worker}/**/*.{ts,tsx}")).values()].join("\n");
const tests = await read("test/{api,e2e,web}/**/*.test.{ts,tsx}");

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");

/** The tests that contain the text, as a string or in a pattern. */
function testsWith(text: string): string[] {
  const pattern = escaped(text).replace(/\\\//g, "/");
  return [...tests]
    .filter(([, source]) => {
      const plain = source.replaceAll(/\$\{PRODUCT_NAME\}/g, PRODUCT_NAME);
      return plain.includes(text) || plain.includes(pattern);
    })
    .map(([path]) => path);
}

describe.each(Object.entries(TEXTS))("specification, section %s", (_, texts) => {
  test("is worded as specified", () => {
    const missing = texts.filter(
      (text) => !english.includes(JSON.stringify(text).slice(1, -1)) && !code.includes(text),
    );
    expect(missing).toEqual([]);
  });

  test("is expected by a test", () => {
    expect(texts.filter((text) => testsWith(text).length === 0)).toEqual([]);
  });
});
