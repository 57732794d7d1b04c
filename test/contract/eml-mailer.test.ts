import { expect, test } from "bun:test";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import {
  createEmlMailer,
  createTextFileSmsSender,
  openMailFolder,
} from "../../worker/adapters/bun/messages/message-files";
import { createMemoryClock } from "../support/memory/memory-clock";
import { createMemoryLogger } from "../support/memory/memory-logger";
import { parseMail } from "../support/servers/received-mail";
import { makeFolder } from "../support/temporary-folder";
import { failureOf, mailerSuite, SAMPLE_MAIL } from "./mailer-suite";

const folder = makeFolder();

async function openAll(name: string) {
  const clock = createMemoryClock("2026-03-14T09:26:53.589Z");
  const log = createMemoryLogger();
  const mails = await openMailFolder(join(folder, name), clock);
  const path = join(folder, name, "mail");
  return { clock, log, path, mailer: createEmlMailer(mails, log), sms: createTextFileSmsSender(mails, log) };
}

mailerSuite("eml files", async () => {
  const { mailer, path } = await openAll("suite");
  return {
    mailer,
    async received() {
      const mails = [];
      for (const name of (await readdir(path)).sort()) {
        mails.push(await parseMail(await Bun.file(join(path, name)).bytes()));
        await rm(join(path, name));
      }
      return mails;
    },
    close: () => {},
  };
});

test("files sort by time, and no partial one is visible", async () => {
  const { mailer, sms, clock, path } = await openAll("sorted");
  await mailer.send({ ...SAMPLE_MAIL, subject: "first" });
  clock.advance(1);
  await sms.send({ to: "+15551234567", text: "second https://example.com/submit/abc" });
  clock.advance(86_400);
  await mailer.send({ ...SAMPLE_MAIL, subject: "third" });
  const names = (await readdir(path)).sort();
  expect(names.map((name) => name.replace(/-[0-9a-f]{8}\./, "-random."))).toEqual([
    "2026-03-14T09-26-53.589Z-random.eml",
    "2026-03-14T09-26-54.589Z-random.txt",
    "2026-03-15T09-26-54.589Z-random.eml",
  ]);
  expect(await Bun.file(join(path, names[1] ?? "")).text()).toBe(
    "To: +15551234567\n\nsecond https://example.com/submit/abc\n",
  );
});

test("the link of a mail is logged, for local use, but neither its subject nor an address", async () => {
  const { mailer, log, path } = await openAll("logged");
  await mailer.send(SAMPLE_MAIL);
  const [name = ""] = await readdir(path);
  expect(log.entries).toEqual([
    {
      level: "info",
      event: "mail written",
      fields: { file: join(path, name), link: "https://example.com/submit/abc_DEF-123" },
    },
  ]);
});

test("a deleted folder is a temporary failure", async () => {
  const { mailer, path } = await openAll("gone");
  await rm(path, { recursive: true });
  expect((await failureOf(mailer.send(SAMPLE_MAIL))).options.permanent).toBe(false);
});
