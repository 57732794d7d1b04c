import { describe, expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { Glob } from "bun";
import { parseSync, type TemplateLiteral, Visitor } from "oxc-parser";
import { ERRORS } from "../../worker/contract/errors";
import { LANGUAGES } from "../../worker/contract/options";
import { readSources } from "./sources";

const ROOT = join(import.meta.dir, "../..");
const PLURAL = /_(zero|one|two|few|many|other)$/;

/** At the beginning of what follows an expression, or alone in a list's separator. */
const COLON = /^\s*[:：](?:\s|$)/;

/** A space that does not break would double the price of a text message. */
const IN_SMS = /^mail:.*sms/i;

type Texts = Map<string, string>;

/** `namespace:dotted.key` and text, for every text of the language. */
async function readTexts(language: string): Promise<Texts> {
  const texts: Texts = new Map();
  const collect = (prefix: string, node: unknown) => {
    if (typeof node === "string") texts.set(prefix, node);
    else if (node && typeof node === "object")
      for (const [key, value] of Object.entries(node))
        collect(prefix.endsWith(":") ? prefix + key : `${prefix}.${key}`, value);
  };
  for (const file of (await readdir(join(ROOT, "locales", language))).sort())
    collect(`${file.replace(".json", "")}:`, await Bun.file(join(ROOT, "locales", language, file)).json());
  return texts;
}

const english = await readTexts("en");
const others = await Promise.all(
  LANGUAGES.filter((language) => language !== "en").map(
    async (language) => [language, await readTexts(language)] as const,
  ),
);

const stem = (key: string) => key.replace(PLURAL, "");
const stems = (texts: Texts) => [...new Set([...texts.keys()].map(stem))].sort();
const placeholders = (text: string) => [...new Set(text.match(/\{\{?\w+\}?\}/g))].sort();

/** Words that are the same in another language: names, units and loanwords. */
const SAME_WORDS = new Set(
  `english français español 中文 deutsch português 日本語 name status optional system message messages document
  documents description contact contacts notification notifications support options actions menu france china india
  australia japan personal error no template date client mobile link text notes expiration crm sms mime kb mb gb
  bytes pdf url f8 administration version invitations envelope envelopes webhooks webhook webhooks token test ms browser code logo passkeys
  word photo question questions format google drive webdav bucket endpoint region`.split(/\s+/),
);

/** The texts that buttons show whose key is not that of their name. */
const SHOWN_AS: Record<string, string> = {
  "integrations:tokens.revokeNamed": "integrations:tokens.revokeShort",
  "integrations:webhooks.editNamed": "common:edit",
};

const wordsOf = (text: string) =>
  text
    .replace(/\{\{\w+\}\}/g, "")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word && !/^\d+$/.test(word));

describe("locales", () => {
  test.each([["en", english] as const, ...others])("%s names buttons by the words they show", (_, texts) => {
    const unlike = [...texts].filter(([key, name]) => {
      const shown = key.endsWith("Named") && texts.get(SHOWN_AS[key] ?? key.slice(0, -"Named".length));
      return shown && !name.toLowerCase().includes(shown.toLowerCase());
    });
    expect(unlike).toEqual([]);
  });

  test.each(others)("%s has exactly the keys of English", (_, texts) => {
    expect(stems(texts)).toEqual(stems(english));
  });

  test.each(others)("%s has the plural forms of the language", (language, texts) => {
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
    const counted = [...english.keys()].filter((key) => PLURAL.test(key)).map(stem);
    const missing = counted
      .flatMap((key) => forms.map((form) => `${key}_${form}`))
      .filter((key) => !texts.has(key));
    expect(missing).toEqual([]);
  });

  test.each(others)("%s has the placeholders of English", (_, texts) => {
    const wrong = [...texts].filter(([key, text]) => {
      const source = english.get(key) ?? english.get(`${stem(key)}_other`) ?? "";
      return placeholders(text).join() !== placeholders(source).join();
    });
    expect(wrong).toEqual([]);
  });

  test.each(others)("%s has no text in English", (_, texts) => {
    const left = [...texts].filter(
      ([key, text]) => text === english.get(key) && wordsOf(text).some((word) => !SAME_WORDS.has(word)),
    );
    expect(left).toEqual([]);
  });

  test("no line of a French text begins with its punctuation", () => {
    const french = others.flatMap(([language, texts]) => (language === "fr" ? [...texts] : []));
    expect(french.filter(([key, text]) => !IN_SMS.test(key) && / [:;?!%»]|« /.test(text))).toEqual([]);
    expect(french.filter(([key, text]) => IN_SMS.test(key) && text.includes("\u00a0"))).toEqual([]);
  });

  test("no text is empty, in any language", () => {
    const empty = [["en", english] as const, ...others].flatMap(([language, texts]) =>
      [...texts].filter(([, text]) => text.trim() === "").map(([key]) => `${language}/${key}`),
    );
    expect(empty).toEqual([]);
  });

  test("every text is used by the code", async () => {
    const sources: string[] = [];
    for (const folder of ["web", "worker"])
      for await (const path of new Glob(`${folder}/**/*.{ts,tsx,html}`).scan(ROOT))
        if (!path.startsWith("web/dist/")) sources.push(await Bun.file(join(ROOT, path)).text());
    const code = sources.join("\n");
    const written = new Set([...code.matchAll(/["'`](?:\w+:)?([\w+.-]+)["'`]/g)].map(([, key]) => key));
    const templates = [
      ...code.matchAll(/`(?:(\w+):)?((?:[\w+.-]|\$\{[^`{}]*(?:\{[^`{}]*\})?[^`{}]*\})+)`/g),
    ].flatMap(([, namespace, template = ""]) => {
      const fixed = template.replace(/\$\{.*?\}/g, "");
      if (!template.includes("${") || (fixed.length < 2 && !namespace)) return [];
      return [{ namespace, pattern: new RegExp(`^${template.replace(/\$\{.*?\}/g, "[\\w+-]+")}$`) }];
    });
    const unused = stems(english).filter((full) => {
      const [name, key = ""] = full.split(":");
      const fits = templates.some(
        ({ namespace, pattern }) => (!namespace || namespace === name) && pattern.test(key),
      );
      const last = key.split(".").at(-1) ?? "";
      const read =
        (name === "submit" || name === "submit-steps") &&
        (new RegExp(`\\.${last}\\b`).test(code) || last in ERRORS);
      return !written.has(key) && !fits && !read;
    });
    expect(unused).toEqual([]);
  });
});

test("every text that browser tests find by its key exists", async () => {
  const keys = (await readSources())
    .filter(({ path }) => /^test\/(?:engines|support\/engines|e2e)\//.test(path))
    .flatMap(({ path, code }) =>
      [...code.matchAll(/\bword\("([\w-]+:[\w.-]+)"\)/g)].map(([, key = ""]) => ({ path, key })),
    );
  expect(keys.length).toBeGreaterThan(50);
  expect(keys.filter(({ key }) => !english.has(key))).toEqual([]);
});

test("a label and its value are joined by a text, because colons differ between languages", async () => {
  const found: string[] = [];
  for (const { path, text } of await readSources()) {
    if (!/^web\/(?:components|features)\//.test(path)) continue;
    const check = (at: number, ...parts: unknown[]) => {
      if (parts.some((part) => typeof part === "string" && COLON.test(part)))
        found.push(`${path}:${text.slice(0, at).split("\n").length}`);
    };
    const checkText = ({ start, value }: { start: number; value: unknown }) => check(start, value);
    const checkTemplate = ({ start, quasis }: TemplateLiteral) =>
      check(start, ...quasis.slice(1).map(({ value }) => value.cooked));
    new Visitor({ JSXText: checkText, Literal: checkText, TemplateLiteral: checkTemplate }).visit(
      parseSync(path, text).program,
    );
  }
  expect(found).toEqual([]);
});
