import { expect, test } from "bun:test";
import { join } from "node:path";
import { file } from "bun";
import { NOT_FOR_WORKERS, SECRETS, VARS } from "../../worker/cli/cloudflare/settings";
import { VARIABLE_NAMES } from "../../worker/config";

const read = (path: string) => file(join(import.meta.dir, "../..", path)).text();
const missingFrom = (text: string) => VARIABLE_NAMES.filter((name) => !text.includes(`\`${name}\``));

test("README's table describes each variable", async () => {
  const table = (await read("README.md")).split("## Configuration")[1]?.split("\n## ")[0] ?? "";
  expect(missingFrom(table)).toEqual([]);
});

/** Their defaults are for tests; nobody who copies the file needs them. */
const NOT_FOR_COPYING = ["RESEND_API_URL", "TWILIO_API_URL", "PROVIDER_URL"];

test(".env.example has a line for each variable", async () => {
  const lines = (await read(".env.example")).split("\n");
  const missing = VARIABLE_NAMES.filter((name) => !lines.some((line) => line.startsWith(`#${name}=`)));
  expect(missing).toEqual(NOT_FOR_COPYING);
});

test("what is deployed as a secret or not at all are variables", () => {
  expect([...SECRETS, ...NOT_FOR_WORKERS].filter((name) => !VARIABLE_NAMES.includes(name))).toEqual([]);
  expect(VARIABLE_NAMES.filter((name) => /_KEY$|SECRET|_TOKEN$/.test(name) && VARS.includes(name))).toEqual(
    [],
  );
});

test("the README of the commands names what is deployed", async () => {
  const section = (await read("worker/cli/README.md")).split("## Deploy")[1] ?? "";
  expect([...VARS, ...SECRETS].filter((name) => !section.includes(`\`${name}\``))).toEqual([]);
});
