import { expect, test } from "bun:test";
import { join } from "node:path";
import { file, write } from "bun";
import { configurationAdvice } from "../../worker/adapters/bun/configuration-advice";
import { readEnvironment } from "../../worker/adapters/bun/environment";
import { ConfigError, readVariables, VARIABLE_NAMES } from "../../worker/config";
import { configuredProviders, type OAuthProvider } from "../../worker/lib/sign-in-providers";
import { spawnServer } from "../support/processes/bun-process";
import { runOperatorCommand } from "../support/processes/operator-command";
import { makeFolder } from "../support/temporary-folder";

const DEPLOY = join(import.meta.dir, "../../worker/deploy");

const folder = makeFolder();

test("a secret can be in a file, whose last line break does not count", async () => {
  const path = join(folder, "smtp-url");
  await write(path, "smtp://user:secret@mail.example.com:587\n");
  expect(readEnvironment({ SMTP_URL_FILE: path }).SMTP_URL).toBe("smtp://user:secret@mail.example.com:587");
});

test("HOST may have the brackets that an IPv6 address has in a URL", async () => {
  const { problems } = await runOperatorCommand(["ready"], { HOST: "[::1]", PORT: "1" });
  expect(problems).toBe("No server is ready at http://[::1]:1");
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
  expect(await server.child.exited).toBe(78);
  expect(await server.problems).toContain("METRICS_TOKEN_FILE is ");
}, 300_000);

test.each([
  [{ PUBLIC_URL: "https://docs.example.com" }, ["TRUSTED_PROXIES is 0"]],
  [{ PUBLIC_URL: "https://docs.example.com", TRUSTED_PROXIES: "1" }, []],
  [{ PUBLIC_URL: "http://docs.example.com" }, ["PUBLIC_URL is not https"]],
  [{ PUBLIC_URL: "http://localhost:8080" }, []],
  [{ PUBLIC_URL: "http://localhost:8080/docs" }, ["PUBLIC_URL has a path"]],
  [{ HOST: "0.0.0.0" }, ["PUBLIC_URL is not set"]],
  [{ SIGN_UP_DOMAINS: "acme.example" }, ["SIGN_UP_DOMAINS has no effect"]],
  [{ SIGN_UP_DOMAINS: "acme.example", SIGN_UP: "domains" }, []],
  [{ MAX_FILE_MB: "200", MAX_ENVELOPE_MB: "100" }, ["MAX_FILE_MB is above MAX_ENVELOPE_MB"]],
  [{ MAX_FILE_MB: "5000" }, []],
  [{ DATABASE_URL: "http://db.internal:8080" }, ["DATABASE_URL is http"]],
  [{ DATABASE_URL: "https://db.example.com" }, ["DATABASE_URL is https"]],
  [{ DATABASE_URL: "wss://db.example.com" }, []],
  [{ DATABASE_URL: "libsql://db.turso.io" }, []],
  [{ DATABASE_URL: "file:documents.db" }, []],
  [{ STOP_DELAY: "38" }, []],
  [{ STOP_DELAY: "39" }, ["STOP_DELAY is long"]],
  [{}, []],
])("%p is warned of as %p", (environment, events) => {
  const advice = configurationAdvice(readVariables(environment), environment);
  expect(advice.map(({ event }) => event)).toEqual(events);
});

test("the longest stop fits what the unit and compose.yaml wait for", async () => {
  const [unit, compose] = await Promise.all(
    ["systemd/doculopes.service", "compose.yaml"].map((name) => file(join(DEPLOY, name)).text()),
  );
  expect([unit, compose]).toEqual([
    expect.stringMatching(/^TimeoutStopSec=60$/m),
    expect.stringMatching(/^\s*stop_grace_period: 60s$/m),
  ]);
});

test.each([
  ["SMTPURL", "SMTP_URL"],
  ["smtp_url", "SMTP_URL"],
  ["SMTP_HOST", "SMTP_URL"],
  ["PUBLIC_URI", "PUBLIC_URL"],
  ["ADMIN_EMAIL", "ADMIN_EMAILS"],
  ["MAX_FILES_MB", "MAX_FILE_MB"],
  ["S3_ACCESS_KEY", "S3_ACCESS_KEY_ID"],
  ["DOCULOPES_PUBLIC_URL", "PUBLIC_URL"],
  ["METRIC_TOKEN_FILE", "METRICS_TOKEN_FILE"],
  ["DOCULOPES_HOME", undefined],
])("%s is not a variable, and %s is meant", (name, meant) => {
  const advice = configurationAdvice(readVariables({}), { [name]: "secret" });
  expect(advice).toEqual(
    meant
      ? [
          {
            event: "unknown variable",
            problem: `${name} is not a variable of Doculopes, so it has no effect`,
            advice: `set ${meant} instead, or unset ${name}`,
          },
        ]
      : [],
  );
});

test("variables of other programs, and each variable in a file, are not mentioned", () => {
  const others = [
    "HOME",
    "HOSTNAME",
    "PATH",
    "LANG",
    "TERM",
    "PORTS",
    "HTTP_PROXY",
    "DATABASE",
    "XDG_DATA_DIRS",
  ];
  const of = [
    "NODE_ENV",
    "GITHUB_TOKEN",
    "AWS_REGION",
    "INVOCATION_ID",
    "npm_config_user_agent",
    "LOGNAME",
    "MAIL",
  ];
  const names = [...others, ...of, ...VARIABLE_NAMES.flatMap((name) => [name, `${name}_FILE`])];
  const environment = Object.fromEntries(names.map((name) => [name, "x"]));
  expect(configurationAdvice(readVariables({}), environment)).toEqual([]);
});

test("a server logs one line for each at its start", async () => {
  const server = spawnServer({
    ...{ DATA_DIR: join(folder, "advice"), SMTPURL: "x", MAX_FILE_MB: "200", MAX_ENVELOPE_MB: "100" },
  });
  await server.url;
  server.child.kill("SIGTERM");
  const lines = (await server.output).split("\n").filter((line) => line.includes('"level":"warn"'));
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ event: "MAX_FILE_MB is above MAX_ENVELOPE_MB" }),
    expect.objectContaining({
      event: "unknown variable",
      reason:
        "SMTPURL is not a variable of Doculopes, so it has no effect. Set SMTP_URL instead, or unset SMTPURL",
    }),
  ]);
}, 300_000);

test.each([
  "smtp://ada:pa#ss@mail.example.com:587",
  "smtp://ada:1/2@mail.example.com",
  "smtps://ada:12?@mail.example.com",
])("an SMTP URL whose password is not escaped says so, without showing it: %s", (SMTP_URL) => {
  const sentence =
    "SMTP_URL must be “smtp://user:password@host:port”, where user and password have %25 for %, %2F for /, %3F for ?, %23 for #, %20 for a space";
  expect(() => readVariables({ SMTP_URL })).toThrow(new ConfigError(sentence));
});

test("an SMTP URL with an address as its user, an @ in its password or escaped characters is accepted", () => {
  const urls = [
    "smtp://ada@example.com:pass@word@mail.example.com:587",
    "smtp://ada:%23%2F@mail.example.com/?pool=true",
    "smtps://mail.example.com",
  ];
  for (const SMTP_URL of urls) expect(readVariables({ SMTP_URL }).SMTP_URL).toBe(SMTP_URL);
  expect(() => readVariables({ SMTP_URL: "smpt://ada:50%off@mail.example.com" })).toThrow(
    "must be a URL that starts with",
  );
});

test("PROVIDER_URL stands in for Google and Microsoft, and only a server of this machine can", () => {
  for (const address of ["https://evil.example", "http://10.0.0.1:4000", "http://localhost.evil.example"])
    expect(() => readVariables({ PROVIDER_URL: address })).toThrow("PROVIDER_URL is");
  const PROVIDER_URL = "http://127.0.0.1:4000/";
  const [google, microsoft, gitHub] = configuredProviders({
    ...{ PROVIDER_URL, GOOGLE_CLIENT_ID: "id", GOOGLE_CLIENT_SECRET: "secret" },
    ...{ MICROSOFT_ENTRA_ID_CLIENT_ID: "id", MICROSOFT_ENTRA_ID_CLIENT_SECRET: "secret" },
    ...{ GITHUB_CLIENT_ID: "id", GITHUB_CLIENT_SECRET: "secret" },
  }) as OAuthProvider[];
  const at = readVariables({ PROVIDER_URL }).PROVIDER_URL;
  expect(google?.authorizationUrl).toBe(`${at}accounts.google.com/o/oauth2/v2/auth`);
  expect(google?.tokenUrl).toBe(`${at}oauth2.googleapis.com/token`);
  expect(microsoft?.authorizationUrl).toBe(`${at}login.microsoftonline.com/common/oauth2/v2.0/authorize`);
  expect(gitHub?.tokenUrl).toBe("https://github.com/login/oauth/access_token");
});

test("whatever a variable's value is, it is accepted or rejected with the variable's name and what is accepted", () => {
  expect(() => readVariables({ OIDC_ISSUER: "no address" })).toThrow(
    new ConfigError('OIDC_ISSUER is "no address", but must be a URL that starts with https:// or http://'),
  );
  const odd = [
    "no address",
    "://",
    "http://",
    "https://a b",
    "http://[::1",
    "http://x:99999",
    "//x",
    "%",
    "\0",
    "<>",
  ];
  const accepted = VARIABLE_NAMES.flatMap((name) =>
    odd.filter((value) => {
      try {
        readVariables({ [name]: value });
        return /_URL$|ENDPOINT|ISSUER/.test(name);
      } catch (error) {
        expect(error).toBeInstanceOf(ConfigError);
        expect(String(error)).toMatch(
          new RegExp(`^Error: (?:${name}(?: is .*, but)? must be .|.* must be set too)`),
        );
        return false;
      }
    }),
  );
  expect(accepted).toEqual([]);
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
}, 300_000);
