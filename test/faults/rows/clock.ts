import { Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import { utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DAY_MS } from "../../../worker/lib/durations";
import { createClient } from "../../support/api/client";
import { ENVELOPE, linkOf } from "../../support/api/envelopes";
import { spawnServer } from "../../support/processes/bun-process";
import { morningZone } from "../../support/processes/morning-zone";
import { startMailSink } from "../mail-sink";
import type { Outcome, RowOptions } from "../row";
import { noAcknowledgements, problemsOfStore } from "../store-check";

const LIBRARIES = ["x86_64", "aarch64"].map(
  (machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketimeMT.so.1`,
);
/** The schedule runs once a minute. */
const RUN_INTERVAL_MS = 65_000;

/** Changes the clock of a live process, including its schedule. */
export async function clock({ folder }: RowOptions): Promise<Outcome> {
  const library = LIBRARIES.find((path) => existsSync(path));
  if (!library)
    throw new Error("The clock of a process is moved by libfaketime: Debian's package is faketime");
  const clockFile = join(folder, "time");
  let shift = 0;
  const moveBy = async (days: number) => {
    shift += days * DAY_MS;
    await writeFile(clockFile, `${shift < 0 ? "-" : "+"}${Math.abs(shift) / 1000}`);
    await utimes(clockFile, new Date(), new Date());
  };
  await moveBy(0);
  const sink = await startMailSink();
  const server = spawnServer({
    DATA_DIR: folder,
    SMTP_URL: sink.url,
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: clockFile,
    FAKETIME_NO_CACHE: "1",
    // The event loop measures pauses with this clock.
    FAKETIME_DONT_FAKE_MONOTONIC: "1",
  });
  const client = createClient({ fetch: (request) => fetch(request), origin: await server.url });
  await client.post("/api/register", { email: "clock@example.com", password: "long enough" });
  await client.patch("/api/user/profile", { timeZone: morningZone() });
  const acknowledged = noAcknowledgements();
  const day = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
  const send = async (changes: object) => {
    const { body } = await client.post("/api/requests", { ...ENVELOPE, ...changes });
    acknowledged.envelopes.add(body.id);
    return body;
  };
  const ending = await send({ expirationDate: day(5) });
  const reminded = await send({ reminderFrequency: "daily", expirationDate: day(300) });
  const problems: string[] = [];
  const expectLink = async (status: number, when: string) => {
    const response = await client.get(linkOf(ending));
    if (response.status !== status) problems.push(`${when}: the link was answered ${response.status}`);
  };
  const reminders = () => countReminders(folder, reminded.id);
  const counts: number[] = [];
  const step = async (days: number, status: number, most: number) => {
    await moveBy(days);
    const when = `${days} days, ${shift / DAY_MS} in all`;
    await expectLink(status, when);
    await Bun.sleep(RUN_INTERVAL_MS);
    counts.push(reminders());
    if (reminders() > most) problems.push(`${when}: ${reminders()} reminders`);
    await expectLink(status, `${when}, a minute later`);
  };
  await expectLink(200, "at first");
  await step(1.01, 200, 1);
  await step(-3, 200, 1);
  await step(33, 410, 2);
  await step(-10, 410, 2);
  await step(40, 410, 3);
  server.child.kill("SIGTERM");
  await server.child.exited;
  const mails = await sink.mails();
  await sink.close();
  return {
    measured: { jumps: 5, "reminders after each": counts.join(", "), mails: mails.length },
    problems: [...problems, ...(await problemsOfStore(folder, acknowledged, { mails }))],
  };
}

function countReminders(folder: string, envelopeId: number): number {
  const db = new Database(join(folder, "doculopes.db"), { readonly: true });
  const query = "select count(*) as n from notifications where kind = 'reminder' and envelope_id = ?";
  const row = db.query<{ n: number }, [number]>(query).get(envelopeId);
  db.close();
  return row?.n ?? 0;
}
