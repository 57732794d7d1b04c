import { expect, test } from "bun:test";
import { join } from "node:path";
import { file } from "bun";
import i18next, { type ParseKeys } from "i18next";
import { fillText, lookUp } from "../../web/lib/texts";
import { LANGUAGES } from "../../worker/contract/options";
import { PRODUCT_NAME } from "../../worker/contract/product";
import { ROOT } from "../rules/sources";

/* The pages for visitors read i18next's format without i18next. */

const NAMESPACES = ["auth", "common", "errors", "validation", "submit", "submit-steps"];

const readTexts = (language: string, namespace: string) =>
  file(join(ROOT, "locales", language, `${namespace}.json`)).json();

function keysOf(texts: object, prefix = ""): string[] {
  return Object.entries(texts).flatMap(([key, text]) =>
    typeof text === "string" ? [prefix + key] : keysOf(text, `${prefix}${key}.`),
  );
}

test.each(NAMESPACES)("every text of %s reads as i18next shows it, in every language", async (namespace) => {
  for (const language of LANGUAGES) {
    const texts = await readTexts(language, namespace);
    const reference = i18next.createInstance();
    await reference.init({
      lng: language,
      resources: { [language]: { [namespace]: texts } },
      ns: namespace,
      defaultNS: namespace,
      interpolation: { escapeValue: false, defaultVariables: { product: PRODUCT_NAME } },
    });
    const shown = (key: string, values: Record<string, number>) =>
      String(reference.t(key as ParseKeys, values));
    for (const key of keysOf(texts)) {
      const text = lookUp(texts, key) ?? "";
      const names = [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name ?? "");
      const values = Object.fromEntries(names.filter((name) => name !== "product").map((name) => [name, 7]));
      expect([language, key, fillText(text, values)]).toEqual([language, key, shown(key, values)]);
    }
  }
});

test("a text that is missing, or is no text, is not found", () => {
  const texts = { title: "Sign in", forgot: { link: "Forgot?" } };
  for (const key of ["other", "forgot", "forgot.link.more", "title.length", "toString", "__proto__"])
    expect(lookUp(texts, key)).toBeUndefined();
  expect(lookUp(texts, "forgot.link")).toBe("Forgot?");
});
