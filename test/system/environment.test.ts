import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { write } from "bun";
import { readEnvironment } from "../../worker/adapters/bun/environment";
import { warnOfAddress } from "../../worker/adapters/bun/start-warnings";
import { createMemoryLogger } from "../../worker/adapters/memory/memory-logger";
import { appConfig, readVariables } from "../../worker/config";
import { spawnServer } from "../support/bun-process";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "doculopes-environment-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("a secret can be in a file, whose last line break does not count", async () => {
  const path = join(folder, "smtp-url");
  await write(path, "smtp://user:secret@mail.example.com:587\n");
  expect(readEnvironment({ SMTP_URL_FILE: path }).SMTP_URL).toBe("smtp://user:secret@mail.example.com:587");
});

test("a file that cannot be read, one beside its variable, and one with a bad value end the start with a sentence", async () => {
  const path = join(folder, "port");
  await write(path, "many\n");
  expect(() => readEnvironment({ PORT_FILE: path })).toThrow('PORT is "many", but must be a whole number');
  expect(() => readEnvironment({ PORT_FILE: path, PORT: "1" })).toThrow(
    "PORT and PORT_FILE are both set; unset one of them",
  );
  const missing = join(folder, "missing");
  expect(() => readEnvironment({ METRICS_TOKEN_FILE: missing })).toThrow(
    `METRICS_TOKEN_FILE is "${missing}", which cannot be read (ENOENT)`,
  );
  const server = spawnServer({ METRICS_TOKEN_FILE: missing, DATA_DIR: join(folder, "data") });
  expect(await server.child.exited).toBe(1);
  expect(await server.problems).toContain("METRICS_TOKEN_FILE is ");
}, 30_000);

test.each([
  [{ PUBLIC_URL: "https://docs.example.com" }, ["TRUSTED_PROXIES is 0"]],
  [{ PUBLIC_URL: "https://docs.example.com", TRUSTED_PROXIES: "1" }, []],
  [{ PUBLIC_URL: "http://docs.example.com" }, ["PUBLIC_URL is not https"]],
  [{ PUBLIC_URL: "http://localhost:8080" }, []],
  [{ HOST: "0.0.0.0" }, ["PUBLIC_URL is not set"]],
  [{}, []],
])("%p warns of %p at the start", (environment, events) => {
  const log = createMemoryLogger();
  const variables = readVariables(environment);
  warnOfAddress(variables, { config: appConfig(variables), log });
  expect(log.entries.map(({ level, event }) => [level, event])).toEqual(
    events.map((event) => ["warn", event]),
  );
});

test("a proxy's header that TRUSTED_PROXIES ignores is reported once", async () => {
  const server = spawnServer({ DATA_DIR: join(folder, "ignored") });
  const url = await server.url;
  for (let times = 0; times < 3; times += 1)
    await fetch(`${url}/api/live`, { headers: { "x-forwarded-for": "203.0.113.9" } });
  server.child.kill("SIGTERM");
  const lines = (await server.output)
    .split("\n")
    .filter((line) => line.includes("X-Forwarded-For is ignored"));
  expect(lines).toHaveLength(1);
}, 30_000);
