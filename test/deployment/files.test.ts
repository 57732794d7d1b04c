import { afterAll, beforeAll, expect, test } from "bun:test";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { file, write } from "bun";
import { buildWeb } from "../../web/build";
import { spawnServer } from "../support/bun-process";
import { DEPLOY, run } from "./run";

let folder: string;
beforeAll(async () => {
  await buildWeb();
  folder = await mkdtemp(join(tmpdir(), "doculopes-deploy-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("systemd accepts the units, and scores their exposure below 2 of 10", async () => {
  const units = ["doculopes.service", "doculopes-backup.service", "doculopes-backup.timer"];
  for (const unit of units) {
    const text = await file(`${DEPLOY}systemd/${unit}`).text();
    await write(join(folder, unit), text.replaceAll(/\/usr\/local\/bin\/[\w-]+/g, "/bin/true"));
  }
  const paths = units.map((unit) => join(folder, unit));
  expect(await run(["systemd-analyze", "verify", ...paths])).toEqual({ code: 0, output: "" });
  for (const path of paths.slice(0, 2)) {
    const { code, output } = await run([
      "systemd-analyze",
      "security",
      "--offline=true",
      "--threshold=20",
      path,
    ]);
    expect([code, output.split("\n").at(-2)]).toEqual([0, expect.stringContaining("Overall exposure level")]);
  }
  expect((await run(["systemd-analyze", "calendar", "*-*-* 03:00"])).code).toBe(0);
});

test("compose accepts the file, and rejects it without DOMAIN", async () => {
  // Debian's docker-compose knows the schema from before `name`.
  const text = (await file(`${DEPLOY}compose.yaml`).text()).replace(/^name: doculopes\n/m, "");
  await write(join(folder, "compose.yaml"), text);
  const config = ["docker-compose", "-f", join(folder, "compose.yaml"), "config"];
  const { code, output } = await run(config, { env: { DOMAIN: "docs.example.com" } });
  expect([code, output]).toEqual([0, expect.stringContaining("PUBLIC_URL: https://docs.example.com")]);
  const without = await run(config, { env: { DOMAIN: "" } });
  expect([without.code, without.output]).toEqual([
    1,
    expect.stringContaining("set DOMAIN to the public name"),
  ]);
});

test("fail2ban's own program finds wrong passwords and unknown links in the log, by the client's address", async () => {
  const server = spawnServer({ DATA_DIR: join(folder, "fail2ban"), TRUSTED_PROXIES: "1" });
  const url = await server.url;
  const login = (client: string) =>
    fetch(`${url}/api/login`, {
      method: "POST",
      headers: { "x-forwarded-for": client, "content-type": "application/json" },
      body: JSON.stringify({ email: "ada@example.com", password: "guess" }),
    });
  await login("203.0.113.3");
  await login("2001:db8::5");
  await fetch(`${url}/api/submissions/guess`, { headers: { "x-forwarded-for": "203.0.113.4" } });
  await fetch(`${url}/api/live`, { headers: { "x-forwarded-for": "203.0.113.5" } });
  server.child.kill("SIGTERM");
  const log = join(folder, "server.log");
  await write(log, await server.output);
  const { output } = await run(["fail2ban-regex", "-o", "ip", log, `${DEPLOY}fail2ban/doculopes.conf`]);
  expect(output.trim().split("\n")).toEqual(["203.0.113.3", "2001:db8::/64", "203.0.113.4"]);
});

test("logrotate accepts its file", async () => {
  await cp(`${DEPLOY}logrotate.conf`, join(folder, "logrotate.conf"));
  await run(["chmod", "644", join(folder, "logrotate.conf")]);
  const { code } = await run(["logrotate", "--debug", join(folder, "logrotate.conf")]);
  expect(code).toBe(0);
});
