import { Database } from "bun:sqlite";
import { join } from "node:path";
import type { ReceivedMail } from "../../contract/mailer-suite";
import { type Client, createClient } from "../../support/api/client";
import { ENVELOPE } from "../../support/api/envelopes";
import { spawnServer } from "../../support/processes/bun-process";
import { createRandom } from "../../support/random";
import { startMailSink } from "../mail-sink";
import type { Outcome, RowOptions } from "../row";
import { noAcknowledgements, problemsOfStore } from "../store-check";

const PATH = "/api/requests/bulk";
const RECIPIENTS = 200;
/** Longer than the claim of a mail. */
const STUCK_MS = 200_000;
const PASSWORD = "long enough";
const EMAIL = "bulk@example.com";

type Call = { key: string; body: { envelope: object; recipients: { recipientEmail: string }[] } };

/**
 * Kills a server at random moments of calls for 200 recipients: while one is stored, while envelopes are created and
 * mails are sent, and while the next server continues. In the end each recipient has one envelope and one invitation.
 */
export async function bulkKills(options: RowOptions): Promise<Outcome> {
  const random = createRandom(options.seed);
  const acknowledged = noAcknowledgements();
  const sink = await startMailSink();
  const variables = { DATA_DIR: options.folder, SMTP_URL: sink.url };
  const planned = options.kills ?? (options.long ? 50 : 3);
  const problems: string[] = [];
  const sent = new Set<string>();
  const record = ({ body }: Call) => {
    for (const { recipientEmail } of body.recipients) sent.add(recipientEmail);
  };
  let unanswered: Call | null = null;
  let [kills, withoutResponse, stored, unfinished] = [0, 0, 0, 0];
  // The first call is not interrupted, to know how long one takes.
  const whole = await undisturbed(variables, callOf(0), problems);
  record(callOf(0));
  for (; kills < planned && problems.length === 0; kills++) {
    const server = await start(variables);
    if (unanswered && (await isStored(server.client, unanswered, problems))) {
      record(unanswered);
      stored += 1;
    }
    const call = callOf(kills + 1);
    // A killed server does not respond.
    const response = server.client
      .send("POST", PATH, call.body, { "idempotency-key": call.key })
      .catch(() => null);
    await Bun.sleep(random.below(random.chance(0.5) ? whole.writtenMs : whole.deliveredMs));
    await server.kill();
    const answer = await response;
    unanswered = answer === null ? call : null;
    if (answer === null) withoutResponse += 1;
    else if (answer.status === 202) record(call);
    else problems.push(`the call was rejected: ${answer.status} ${answer.text}`);
    const [waiting] = valuesOf(
      options.folder,
      "select count(*) as value from bulk_sends where finished_at is null",
    );
    if (Number(waiting) > 0) unfinished += 1;
    problems.push(...(await problemsOfStore(options.folder, acknowledged)));
  }
  if (!options.long) endClaims(options.folder);
  const last = await start(variables);
  if (unanswered && (await isStored(last.client, unanswered, problems))) {
    record(unanswered);
    stored += 1;
  }
  await untilDelivered(options.folder, problems);
  await last.stop();
  const mails = await sink.mails();
  await sink.close();
  problems.push(
    ...recipientProblems(options.folder, sent, mails),
    ...(await problemsOfStore(options.folder, acknowledged, { mails })),
  );
  return {
    measured: {
      kills,
      recipients: sent.size,
      "kills before the response": withoutResponse,
      "of them stored": stored,
      "kills that left a bulk send unfinished": unfinished,
      "mails that came twice": duplicatesOf(mails).length,
      "written, ms": Math.round(whole.writtenMs),
      "delivered, ms": Math.round(whole.deliveredMs),
    },
    problems,
  };
}

/** Runs one call to its end, and says how long it takes. */
async function undisturbed(variables: { DATA_DIR: string }, { key, body }: Call, problems: string[]) {
  const { client, stop } = await start(variables);
  const began = performance.now();
  const { body: bulk } = await client.send("POST", PATH, body, { "idempotency-key": key });
  for (;;) {
    if ((await client.get(`${PATH}/${bulk.id}`)).body.finished) break;
    await Bun.sleep(5);
  }
  const writtenMs = performance.now() - began;
  await untilDelivered(variables.DATA_DIR, problems);
  const deliveredMs = performance.now() - began;
  await stop();
  return { writtenMs, deliveredMs };
}

const callOf = (round: number): Call => ({
  key: `bulk ${round}`,
  body: {
    envelope: { subject: `Round ${round}`, documents: ENVELOPE.documents },
    recipients: Array.from({ length: RECIPIENTS }, (_, index) => ({
      recipientName: `Person ${index}`,
      recipientEmail: `round${round}person${index}@example.com`,
    })),
  },
});

export async function start(variables: Record<string, string>) {
  const server = spawnServer(variables);
  const url = await server.url;
  const client = createClient({ fetch: (request) => fetch(request), origin: url });
  const account = { email: EMAIL, password: PASSWORD };
  const { status } = await client.post("/api/login", account);
  if (status !== 200) await client.post("/api/register", account);
  const end = async (signal: "SIGKILL" | "SIGTERM") => {
    server.child.kill(signal);
    await server.child.exited;
  };
  return { client, kill: () => end("SIGKILL"), stop: () => end("SIGTERM") };
}

/** Repeats a call that had no response. @returns whether it was stored; if not, its key is not released yet */
async function isStored(client: Client, { key, body }: Call, problems: string[]): Promise<boolean> {
  const { status, body: again } = await client.send("POST", PATH, body, { "idempotency-key": key });
  if (status !== 202 && again.code !== "idempotency_running")
    problems.push(`the repeated call: ${status} ${again.code}`);
  return status === 202;
}

/** Waits until all envelopes are created and no mail waits. The claim of a mail lasts for 100 s after a kill. */
export async function untilDelivered(folder: string, problems: string[]): Promise<void> {
  const left = () =>
    valuesOf(
      folder,
      `select (select count(*) from bulk_recipients where state = 'waiting')
        + (select count(*) from bulk_sends where finished_at is null)
        + (select count(*) from notifications where status = 'queued') as value`,
    ).map(Number)[0] ?? 0;
  let least = left();
  for (let end = Date.now() + STUCK_MS; least > 0; await Bun.sleep(100)) {
    const now = left();
    if (now < least) end = Date.now() + STUCK_MS;
    least = Math.min(now, least);
    if (Date.now() < end) continue;
    problems.push(`nothing more is done, ${least} rows wait`);
    return;
  }
  const failed = valuesOf(folder, "select message as value from bulk_recipients where state = 'failed'");
  problems.push(...failed.map((message) => `no envelope: ${message}`));
}

/** Whoever does not have exactly one envelope, or other mails than one, which may be repeated as it is. */
export function recipientProblems(folder: string, sent: ReadonlySet<string>, mails: readonly ReceivedMail[]) {
  const envelopes = countEach(valuesOf(folder, "select customer_email as value from envelopes"));
  const invitations = Map.groupBy(mails, ({ recipients: [address] }) => address ?? "");
  return [...new Set([...sent, ...envelopes.keys()])].flatMap((address) => {
    const problems: string[] = [];
    if (!sent.has(address) || envelopes.get(address) !== 1)
      problems.push(`${address} has ${envelopes.get(address) ?? 0} envelopes`);
    const ids = (invitations.get(address) ?? []).map(({ messageId }) => messageId);
    if (new Set(ids).size !== 1 || ids.length > 2)
      problems.push(`${address} got the mails ${ids.join(", ")}`);
    return problems;
  });
}

export const duplicatesOf = (mails: readonly ReceivedMail[]) =>
  [...countEach(mails.map(({ messageId }) => messageId))].filter(([, count]) => count > 1);

function countEach(values: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

/** As if the time had passed that a killed server's mails wait. */
function endClaims(folder: string): void {
  const db = new Database(join(folder, "doculopes.db"));
  db.run(
    "update notifications set claimed_until = '2026-01-01T00:00:00.000Z' where claimed_until is not null",
  );
  db.close();
}

export function valuesOf(folder: string, statement: string): string[] {
  const db = new Database(join(folder, "doculopes.db"), { readonly: true });
  try {
    return db
      .query<{ value: string }, []>(statement)
      .all()
      .map(({ value }) => value);
  } finally {
    db.close();
  }
}
