import { expect, test } from "bun:test";
import { join } from "node:path";
import { file } from "bun";
import i18next from "i18next";
import { ApiError, isChangedMeanwhile } from "../../web/lib/api";
import { errorText } from "../../web/lib/error-text";
import { fillText } from "../../web/lib/texts";
import { CODES, ERRORS, type ErrorCode } from "../../worker/contract/errors";
import { LANGUAGES } from "../../worker/contract/options";
import { ROOT } from "../rules/sources";

const KEYS = Object.keys(ERRORS) as ErrorCode[];

const readTexts = (language: string, name: string): Promise<Record<string, string>> =>
  file(join(ROOT, "locales", language, `${name}.json`)).json();

async function translator(language: string, withErrors = true) {
  const instance = i18next.createInstance();
  const errors = withErrors ? await readTexts(language, "errors") : {};
  const common = await readTexts(language, "common");
  await instance.init({
    lng: language,
    resources: { [language]: { errors, common } },
    interpolation: { escapeValue: false },
  });
  return { t: instance.t, errors };
}

const slots = (key: ErrorCode) =>
  [...ERRORS[key].message.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name ?? "");
const paramsOf = (key: ErrorCode) => Object.fromEntries(slots(key).map((name) => [name, `a & b of ${name}`]));

/** What the server responds with. */
function failure(key: ErrorCode, params: Record<string, string> = paramsOf(key)): ApiError {
  const { status, message } = ERRORS[key];
  const body = { code: CODES[key] ?? key, message: fillText(message, params), params };
  return new ApiError(status, JSON.stringify(body));
}

test("every error is shown in the reader's language, with its values", async () => {
  for (const language of LANGUAGES) {
    const { t, errors } = await translator(language);
    for (const key of KEYS)
      expect([language, key, errorText(failure(key), t)]).toEqual([
        language,
        key,
        fillText(errors[key] ?? "missing", paramsOf(key)),
      ]);
  }
});

test("without the texts, the code or a value, it is shown as the server says it", async () => {
  const withSlots = KEYS.find((key) => slots(key).length > 0) ?? "validation";
  const { t } = await translator("de");
  const without = await translator("de", false);
  const { text } = failure("invalid_token");
  expect(errorText(failure("invalid_token"), without.t)).toBe(text);
  expect(errorText(failure(withSlots, {}), t)).toBe(failure(withSlots, {}).text);
  expect(errorText(new ApiError(418, '{"code":"toString","message":"I am a teapot"}'), t)).toBe(
    "I am a teapot",
  );
  expect(errorText(new ApiError(500, '{"message":"The post office is closed"}'), t)).toBe(
    "The post office is closed",
  );
  expect(errorText(new ApiError(500, "Out of stamps"), t)).toBe("Out of stamps");
  expect(errorText(new ApiError(500, "", "Internal Server Error"), t)).toBe(t("common:failure.unknown"));
  expect(errorText(new Error("?"), t)).toBe(t("common:failure.unknown"));
});

test("the response of a proxy, a router or a portal is a lost connection, not a missing entry", async () => {
  const { t } = await translator("en");
  for (const [status, body] of [
    [404, "404 page not found"],
    [401, "<html>"],
    [500, "<html>"],
    [502, "Bad Gateway"],
    [410, '{"code":"410"}'],
  ] as const) {
    const error = new ApiError(status, body);
    expect([error.status, error.code, errorText(error, t)]).toEqual([
      0,
      "network",
      t("common:failure.network"),
    ]);
  }
});

test("a script that a newer version has removed asks for a reload, in each browser's words", async () => {
  const { t } = await translator("en");
  for (const message of [
    "Failed to fetch dynamically imported module: https://docs.example/assets/try-dialog-1.js",
    "error loading dynamically imported module: https://docs.example/assets/try-dialog-1.js",
    "Importing a module script failed.",
  ])
    expect(errorText(new TypeError(message), t)).toContain("Please reload the page");
  expect(errorText(new TypeError("x is not a function"), t)).toStartWith("Something went wrong");
});

test("a conflict that names nobody who changed the entry is no question to the form", () => {
  const conflict = { message: "Changed", code: "changed_meanwhile" };
  expect(isChangedMeanwhile(new ApiError(409, JSON.stringify(conflict)))).toBe(false);
  const changedBy = { firstName: "Ada", lastName: null };
  const named = { ...conflict, changedBy, updatedAt: "2026-03-14T09:26:53.000Z" };
  expect(isChangedMeanwhile(new ApiError(409, JSON.stringify(named)))).toBe(true);
});
