import { expect, test } from "bun:test";
import { join } from "node:path";
import { file } from "bun";
import { is } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import * as schema from "../../db/schema";
import { ROOT, readSources } from "./sources";

const PAGE = "db/decisions/null-as-a-guard.md";
const page = await file(join(ROOT, PAGE)).text();
const sources = (await readSources()).filter(({ path }) => /^(db|worker)\//.test(path));
const queries = sources.filter(({ path }) => path.startsWith("db/queries/") && !path.endsWith("guard.ts"));

/** The names in the matched cells of the page's tables. */
const named = (cells: RegExp) =>
  Array.from(page.matchAll(cells), ([, cell = ""]) =>
    Array.from(cell.matchAll(/`(\w+)`/g), ([, name = ""]) => name),
  ).flat();

test(`${PAGE} names each function that writes a guard, and no other`, () => {
  const guarded = sources.flatMap(({ path, code }) =>
    path.endsWith("guard.ts")
      ? []
      : Array.from(code.matchAll(/\bonlyWhile(?:<[^(]*>)?\(/g), ({ index }) => {
          const before = code.slice(0, index).matchAll(/^(?:export )?(?:async )?(?:const|function) (\w+)/gm);
          return Array.from(before, ([, name = ""]) => name).at(-1) ?? path;
        }),
  );
  expect([...new Set(guarded)].sort()).toEqual(named(/^\| [^|]+ \| ([^|]+) \| `(?:is|are)/gm).sort());
});

test("no guard is an integer key: SQLite would choose a number for NULL", () => {
  const keys = Object.values(schema).flatMap((table) => {
    if (!is(table, SQLiteTable)) return [];
    const { name, columns } = getTableConfig(table);
    return columns.flatMap((column) =>
      column.primary && column.getSQLType() === "integer" ? `${name}.${column.name}` : [],
    );
  });
  const guards = Array.from(page.matchAll(/`(\w+\.\w+)`/g), ([, guard = ""]) => guard);
  expect(keys.length).toBeGreaterThan(10);
  expect(guards.filter((guard) => keys.includes(guard))).toEqual([]);
});

test("what may be NULL is written by the function that makes it so, and not passed on", () => {
  const passed = /(?:=>|\breturn|\w\()\s*onlyWhile(?:<[^(]*>)?\(|\w\([^;{]*,\s*onlyWhile\(/;
  expect(sources.filter(({ code }) => passed.test(code)).map(({ path }) => path)).toEqual([]);
});

test(`${PAGE} names each look-up that the code above the queries passes to one of them`, () => {
  const lookups = queries.flatMap(({ code }) =>
    Array.from(
      code.matchAll(/^export const (\w+) = \([^=]*=>\s*sql<(?:number|string)>`([\s\S]*?)`;$/gm),
      ([, name = "", text = ""]) => (/\(select|^\(\$\{db|Id\(/.test(text) ? [name] : []),
    ).flat(),
  );
  const used = lookups.filter((name) =>
    sources.some(({ path, code }) => path.startsWith("worker/") && new RegExp(`\\b${name}\\(`).test(code)),
  );
  expect(used.sort()).toEqual(named(/^\| (`[^|]+) \| (?:unless|once|without|never)/gm).sort());
});
