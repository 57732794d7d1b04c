import { expect, test } from "bun:test";
import { cp, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { file, write } from "bun";
import { spawnServer } from "../support/processes/bun-process";
import { makeFolder } from "../support/temporary-folder";
import { debianArchive, must } from "./debian";
import { DEPLOY, run } from "./run";

const folder = makeFolder();

test("systemd accepts the units, and scores their exposure below 2 of 10", async () => {
  const units = [
    "doculopes.service",
    "doculopes-backup.service",
    "doculopes-backup.timer",
    "doculopes-alert@.service",
  ];
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

/** Debian 12's docker-compose 1.29, and docker compose 2 of Debian 13. */
const COMPOSES = {
  "1.29": async () => "docker-compose",
  "2": async () => {
    const archive = await debianArchive("compose", ["docker-compose"]);
    const plugin = "./usr/libexec/docker/cli-plugins/docker-compose";
    await must(["tar", "-x", "-f", archive, "-C", folder, plugin]);
    return join(folder, plugin);
  },
};

test.each(["1.29", "2"] as const)("compose %s accepts the file with its variables only", async (version) => {
  const compose = await COMPOSES[version]();
  expect((await run([compose, "version"])).output).toContain(`version ${version}`);
  const deploy = join(folder, `deploy-${version}`);
  await mkdir(deploy);
  await cp(`${DEPLOY}compose.yaml`, join(deploy, "compose.yaml"));
  const config = [compose, "-f", join(deploy, "compose.yaml"), "config"];
  expect((await run(config)).code).not.toBe(0);
  const sample = await file(`${DEPLOY}compose.env`).text();
  const own =
    "BACKUPS=/srv/backups\nSMTP_URL='smtp://us$er:pa#ss@mail.example.com'\nMAIL_FROM='Ada <ada@example.com>'\n";
  await write(join(deploy, ".env"), sample + own);
  const { code, output } = await run(config);
  expect([code, output]).toEqual([0, expect.stringContaining("PUBLIC_URL: https://docs.example.com")]);
  // `$$` stands for one in what compose prints.
  expect(output).toContain("SMTP_URL: smtp://us$$er:pa#ss@mail.example.com");
  expect(output).toContain("MAIL_FROM: Ada <ada@example.com>");
  expect(output).toContain("/srv/backups");
  expect(output).toContain("BACKUPS: /backups");
  expect(output).toContain("name: doculopes_data");
  await write(join(deploy, ".env"), sample.replace(/^DOMAIN=.*$/m, "DOMAIN="));
  const without = await run(config);
  expect([without.code, without.output]).toEqual([
    expect.any(Number),
    expect.stringContaining("set DOMAIN in"),
  ]);
  expect(without.code).not.toBe(0);
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

test("fail2ban's jail reads the journal and bans with nftables, as Debian has it", async () => {
  const settings = join(folder, "fail2ban-settings");
  await cp("/etc/fail2ban", settings, { recursive: true });
  await cp(`${DEPLOY}fail2ban/doculopes.conf`, join(settings, "filter.d/doculopes.conf"));
  await cp(`${DEPLOY}fail2ban/jail.conf`, join(settings, "jail.d/doculopes.conf"));
  const { code, output } = await run(["fail2ban-client", "-c", settings, "--dump"]);
  expect([code, output]).toEqual([0, expect.stringContaining("['add', 'doculopes', 'systemd']")]);
  expect(output).toContain("['set', 'doculopes', 'addaction', 'nftables']");
});

test("logrotate accepts its file", async () => {
  await cp(`${DEPLOY}logrotate.conf`, join(folder, "logrotate.conf"));
  await run(["chmod", "644", join(folder, "logrotate.conf")]);
  const { code } = await run(["logrotate", "--debug", join(folder, "logrotate.conf")]);
  expect(code).toBe(0);
});
