import { Database } from "bun:sqlite";
import { join } from "node:path";
import { ENVELOPE } from "../../support/api/envelopes";
import { createRandom } from "../../support/random";
import { startMailSink } from "../mail-sink";
import type { Outcome, RowOptions } from "../row";
import { noAcknowledgements, problemsOfStore } from "../store-check";
import { duplicatesOf, recipientProblems, start, untilDelivered, valuesOf } from "./bulk-kills";

const RECIPIENTS = 200;
/** Both servers have begun, and the envelopes of one occurrence are written. */
const ROUND_MS = 2500;

/**
 * Kills two servers of one database at random moments around an occurrence of a series with 200 recipients, which both find
 * due when they start. In the end each series has sent once, and each recipient has one envelope and one invitation.
 */
export async function seriesKills(options: RowOptions): Promise<Outcome> {
  const random = createRandom(options.seed);
  const sink = await startMailSink();
  const variables = { DATA_DIR: options.folder, SMTP_URL: sink.url };
  const planned = options.kills ?? (options.long ? 100 : 2);
  const problems: string[] = [];
  const sent = new Set<string>();
  let [kills, unfinished] = [0, 0];
  const first = await start(variables);
  for (let round = 0; round < planned; round += 1) {
    const recipients = recipientsOf(round);
    const { status, text } = await first.client.post("/api/series", {
      ...{ name: `Round ${round}`, every: 1, unit: "month", startOn: "2099-01-31", recipients },
      envelope: { subject: `Round ${round}`, documents: ENVELOPE.documents },
    });
    if (status !== 201) problems.push(`the series was rejected: ${status} ${text}`);
    for (const { recipientEmail } of recipients) sent.add(recipientEmail);
  }
  await first.stop();
  for (; kills < planned && problems.length === 0; kills += 1) {
    makeDue(options.folder, kills + 1);
    const began = performance.now();
    const both = Promise.allSettled([start(variables), start(variables)]);
    const servers = (await both).flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    if (servers.length < 2) problems.push("a server did not start");
    await Bun.sleep(Math.max(0, random.below(ROUND_MS) - (performance.now() - began)));
    await Promise.all(servers.map((server) => server.kill()));
    const waiting = "select count(*) as value from bulk_sends where finished_at is null";
    if (Number(valuesOf(options.folder, waiting)[0]) > 0) unfinished += 1;
  }
  endAttempts(options.folder);
  const last = await start(variables);
  await untilOccurred(options.folder, kills, problems);
  await untilDelivered(options.folder, problems);
  await last.stop();
  const mails = await sink.mails();
  await sink.close();
  const sends = "select count(*) as value from bulk_sends group by subject having count(*) > 1";
  problems.push(
    ...valuesOf(options.folder, sends).map((count) => `an occurrence was sent ${count} times`),
    ...recipientProblems(options.folder, sent, mails),
    ...(await problemsOfStore(options.folder, noAcknowledgements(), { mails })),
  );
  return {
    measured: {
      kills,
      recipients: sent.size,
      "kills that left a bulk send unfinished": unfinished,
      "mails that came twice": duplicatesOf(mails).length,
    },
    problems,
  };
}

const recipientsOf = (round: number) =>
  Array.from({ length: RECIPIENTS }, (_, index) => ({
    recipientName: `Person ${index}`,
    recipientEmail: `round${round}person${index}@example.com`,
  }));

/** As if the day had come. */
function makeDue(folder: string, id: number): void {
  const db = new Database(join(folder, "doculopes.db"));
  const now = new Date().toISOString();
  db.run(
    "update series set start_on = ?, next_on = ?, send_hour = ?, due_at = ? where id = ? and next_number = 1",
    [...[now.slice(0, 10), now.slice(0, 10), new Date().getUTCHours(), now, id]],
  );
  db.close();
}

/** As if the time had passed that mails wait which killed servers were sending. */
function endAttempts(folder: string): void {
  const db = new Database(join(folder, "doculopes.db"));
  const past = "2026-01-01T00:00:00.000Z";
  db.run("update notifications set claimed_until = null, next_attempt_at = ? where status = 'queued'", [
    past,
  ]);
  db.close();
}

/** Waits until the schedule has found everything that was due. */
async function untilOccurred(folder: string, occurrences: number, problems: string[]): Promise<void> {
  const count = () => Number(valuesOf(folder, "select count(*) as value from series_occurrences")[0]);
  for (const end = Date.now() + 90_000; count() < occurrences; await Bun.sleep(200))
    if (Date.now() > end) {
      problems.push(`${occurrences - count()} occurrences are missing`);
      return;
    }
}
