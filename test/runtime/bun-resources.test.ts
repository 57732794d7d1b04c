import { expect, test } from "bun:test";
import { mkdir, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { ensureKeyFile, readKeyFile } from "../../worker/adapters/bun/files/key-file";
import { openResources } from "../../worker/adapters/bun/resources";
import { readVariables } from "../../worker/config";
import { SecretKeyMissingError } from "../../worker/ports/crypto";
import { SAMPLE_MAIL } from "../contract/mailer-suite";
import { seededBytes } from "../support/files/bytes";
import { createMemoryClock } from "../support/memory/memory-clock";
import { createMemoryLogger } from "../support/memory/memory-logger";
import { startGateway } from "../support/servers/http-gateway";
import { startS3Server } from "../support/servers/s3-server";
import { startSmtpServer } from "../support/servers/smtp-server";
import { makeFolder } from "../support/temporary-folder";

const folder = makeFolder();
const environment = () => ({
  clock: createMemoryClock(),
  log: createMemoryLogger(),
  rulesInMemory: ["read"],
});

test("without configuration everything is stored in one private folder", async () => {
  const path = join(folder, "a name with % and #");
  const resources = await openResources(readVariables({ DATA_DIR: path }), environment());
  const writer = await resources.files.create("file.pdf");
  await writer.write(seededBytes(10));
  await writer.commit();
  await resources.mailer.send(SAMPLE_MAIL);
  await resources.smsSender.send({ to: "+15551234567", text: "Hello" });
  resources.close();

  const names = (await readdir(path)).filter((name) => !/-(?:wal|shm)$/.test(name));
  expect(names.sort()).toEqual(["doculopes.db", "mail", "orphans", "secret.key", "tmp", "uploads"]);
  expect(await readdir(join(path, "uploads"))).toEqual(["file.pdf"]);
  expect(await readdir(join(path, "mail"))).toHaveLength(2);
});

test("MIN_FREE_MB applies to rows and large mails, wherever the database is", async () => {
  const path = join(folder, "almost full");
  const own = { DATA_DIR: path, MIN_FREE_MB: "10000000" };
  const DATABASE_URL = `file:${join(folder, "rows.db")}?tls=0`;
  for (const variables of [own, { ...own, DATABASE_URL }]) {
    const { requireSpace, mailer, close } = await openResources(readVariables(variables), environment());
    await mailer.send(SAMPLE_MAIL);
    expect(await Promise.resolve(requireSpace?.(1)).catch(String)).toContain("Too little space");
    const large = { ...SAMPLE_MAIL, html: "x".repeat(70_000) };
    expect(await mailer.send(large).catch(String)).toContain("Too little space");
    close();
  }
});

test("files in a folder that others may enter are private, including those of the database", async () => {
  const path = join(folder, "open");
  await mkdir(path, { mode: 0o755 });
  const resources = await openResources(readVariables({ DATA_DIR: path }), environment());
  const writer = await resources.files.create("file.pdf");
  await writer.write(seededBytes(10));
  await writer.commit();
  await resources.mailer.send(SAMPLE_MAIL);
  const modes = new Map<string, string>();
  for (const { name, parentPath } of await readdir(path, { recursive: true, withFileTypes: true })) {
    const { mode } = await stat(join(parentPath, name));
    modes.set(name, (mode & 0o777).toString(8));
  }
  resources.close();
  expect(Object.fromEntries(modes)).toMatchObject({
    "doculopes.db": "600",
    "doculopes.db-wal": "600",
    uploads: "700",
    "file.pdf": "600",
    tmp: "700",
    mail: "700",
  });
  expect([...new Set(modes.values())].sort()).toEqual(["600", "700"]);
});

test("configured services are used, and if all data is elsewhere no folder is needed", async () => {
  const smtp = await startSmtpServer();
  const credentials = { accessKeyId: "key-id", secretAccessKey: "secret" };
  const s3 = startS3Server("documents", credentials);
  const gateway = startGateway();
  await Bun.write(join(folder, "a-file"), "");
  const variables = readVariables({
    DATA_DIR: join(folder, "a-file", "never"),
    DATABASE_URL: `file:${join(folder, "elsewhere.db")}`,
    SMTP_URL: smtp.url,
    S3_ENDPOINT: s3.endpoint,
    S3_BUCKET: "documents",
    S3_ACCESS_KEY_ID: credentials.accessKeyId,
    S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    TWILIO_ACCOUNT_SID: "AC1",
    TWILIO_AUTH_TOKEN: "secret",
    TWILIO_FROM: "+15550001111",
    TWILIO_API_URL: gateway.url,
  });
  const resources = await openResources(variables, environment());
  const writer = await resources.files.create("file.pdf");
  await writer.commit();
  await resources.mailer.send(SAMPLE_MAIL);
  await resources.smsSender.send({ to: "+15551234567", text: "Hello" });
  resources.close();

  expect([...s3.objects.keys()]).toEqual(["uploads/file.pdf"]);
  expect(await smtp.received()).toHaveLength(1);
  expect(gateway.requests).toHaveLength(1);
  await Promise.all([smtp.close(), s3.stop(), gateway.stop()]);
});

test("rate limits apply unless they are switched off", async () => {
  const rules = ["read", "write"].map((name) => ({ name, limit: 1, seconds: 60 }));
  for (const [RATE_LIMITS, second] of [
    ["on", false],
    ["off", true],
  ] as const) {
    const variables = readVariables({ DATA_DIR: join(folder, RATE_LIMITS), RATE_LIMITS });
    const { rateLimiter, close } = await openResources(variables, environment());
    for (const rule of rules) {
      expect((await rateLimiter.hit(rule, "somebody")).allowed).toBe(true);
      expect((await rateLimiter.hit(rule, "somebody")).allowed).toBe(second);
    }
    close();
  }
});

test("a folder gets one secret key, however many servers start at once, and keeps it", async () => {
  const path = join(folder, "keys");
  await mkdir(path);
  const keys = await Promise.all(Array.from({ length: 20 }, () => ensureKeyFile(path)));
  expect(new Set(keys.flat()).size).toBe(1);
  expect(await readdir(path)).toEqual(["secret.key"]);
  expect((await stat(join(path, "secret.key"))).mode & 0o777).toBe(0o600);
  expect(await ensureKeyFile(path)).toEqual(await readKeyFile(path));
  await Bun.write(join(path, "secret.key"), "short");
  await expect(ensureKeyFile(path)).rejects.toThrow("secret.key is damaged");
});

test("SECRET_KEY is stronger than the file, which is only made without it", async () => {
  const path = join(folder, "own key");
  const SECRET_KEY = "a-key-from-the-environment-of-the-server";
  const own = await openResources(readVariables({ DATA_DIR: path, SECRET_KEY }), environment());
  own.close();
  expect(await readKeyFile(path)).toEqual([]);
  const sealed = await own.secretBox.seal("secret", "");
  const made = await openResources(readVariables({ DATA_DIR: path }), environment());
  made.close();
  expect(await readKeyFile(path)).toHaveLength(1);
  await expect(made.secretBox.open(sealed, "")).rejects.toBeInstanceOf(SecretKeyMissingError);
});
