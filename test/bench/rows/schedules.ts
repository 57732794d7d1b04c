import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import type { Database } from "../../../db/client";
import { type Account, addEnvelopes, sendEnvelope, signUp } from "../harness/account";
import { compare } from "../harness/compare";
import { startApp, withFolder } from "../harness/process";
import { rate } from "../harness/rate";
import { type Finding, quantile, type Row } from "../harness/row";
import { populate } from "../million/build";
import { startEmbedded, withDatabaseAt } from "../million/instance";
import { runMix } from "../million/mix";
import { startSink } from "../million/sink";

const ENVELOPES = Number(process.env.BENCH_ENVELOPES ?? 1_000_000);
const DUE = Number(process.env.BENCH_DUE ?? 10_000);
const QUIET_MS = 30_000;
const POLL_MS = 1000;
/** It ends once all is done; what is not by then is counted. */
const MOST_MS = Number(process.env.BENCH_MINUTES ?? 15) * 60_000;

/**
 * 10,000 series and 10,000 documents that are due in the same minute, among a million envelopes, while a hundred people work.
 * `BENCH_ENVELOPES`, `BENCH_DUE` and `BENCH_MINUTES` shorten it.
 */
export const schedules: Row = async () => [
  ...(await withFolder(whatOthersNotice)),
  ...(await withFolder(whatItCosts)),
];

async function whatOthersNotice(folder: string): Promise<Finding[]> {
  const sink = await startSink();
  const instance = await startEmbedded(folder, { mail: sink.url });
  try {
    const population = await populate(instance, ENVELOPES);
    const [first] = population.accounts;
    if (!first) throw new Error("There is no account");
    const quiet = await runMix(instance.url, population, Bun.sleep(QUIET_MS));
    await createSeries(first);
    await instance.withDatabase(makeDue);
    const work = Object.entries(LEFT).map(([kind, query]) => ({ kind, query, left: DUE, ms: MOST_MS }));
    const started = performance.now();
    const done = instance.withDatabase(async (db) => {
      for (let isOver = false; !isOver && work.some(({ left }) => left > 0); await Bun.sleep(POLL_MS)) {
        const ms = performance.now() - started;
        isOver = ms > MOST_MS;
        // What is made of something is done once that is.
        let isDone = true;
        for (const one of work) {
          one.left = (await db.get<{ count: number }>(one.query)).count;
          isDone &&= one.left === 0;
          one.ms = isDone ? Math.min(one.ms, ms) : MOST_MS;
        }
      }
    });
    const mix = await runMix(instance.url, population, done);
    return [
      ...work.flatMap(({ kind, left, ms }) => [
        { what: `${DUE} ${kind} due in one minute: done after`, unit: "s", value: ms / 1000 },
        { what: `${kind} left after that, or after ${MOST_MS / 60_000} minutes`, unit: "", value: left },
      ]),
      ...Object.entries(mix.latencies).map(
        ([what, times]): Finding => ({
          what: `Others' ${what} meanwhile, p99 of ${times.length}`,
          unit: "ms",
          value: quantile(times, 0.99),
          baseline: {
            name: "without it",
            value: quantile(quiet.latencies[what as keyof typeof mix.latencies], 0.99),
          },
          goal: { of: "value", atMost: 100 },
        }),
      ),
      {
        what: "Requests without a good response",
        unit: "",
        value: mix.problems.length,
        goal: { of: "value", atMost: 0 },
      },
    ];
  } finally {
    await instance.stop();
    await sink.close();
  }
}

const LEFT = {
  series: sql`select count(*) as count from series where due_at < '9999' and next_number = 1 and id > 1`,
  documents: sql`select count(*) as count from envelope_documents where check_at is not null and renew_on is not null`,
  bulkSends: sql`select count(*) as count from bulk_sends where finished_at is null`,
  invitations: sql`
    select count(*) as count from notifications as mail join envelopes as sent on sent.id = mail.envelope_id
    where mail.status = 'queued' and (sent.series_id is not null or sent.id in (select envelope_id from renewals))`,
};

/** One that the others are copies of. */
async function createSeries(account: Account): Promise<void> {
  const response = await account.send("POST", "/api/series", {
    ...{ name: "Monthly", every: 1, unit: "month", startOn: "9998-01-01" },
    envelope: { subject: "Statements of {lastMonth}", documents: [{ name: "Statement" }] },
    recipients: [{ recipientName: "Rita", recipientEmail: "rita@example.com" }],
  });
  if (response.status !== 201) throw new Error(`No series: ${await response.text()}`);
}

/** As many of each in each workspace, due now, when it is nine o'clock where all accounts are. */
async function makeDue(db: Database): Promise<void> {
  const now = new Date();
  const offset = ((9 - now.getUTCHours() + 36) % 24) - 12;
  const zone = `Etc/GMT${offset > 0 ? "-" : "+"}${Math.abs(offset)}`;
  const day = new Date(now.getTime() + offset * 3_600_000).toISOString().slice(0, 10);
  await db.run(sql`update users set time_zone = ${zone}`);
  await insertSeries(db, { day, dueAt: now.toISOString() });
  await db.run(sql`
    update envelope_documents set check_at = ${now.toISOString()}, renew_on = ${day}, valid_until = date(${day}, '20 days'),
      workspace_id = chosen.workspace_id, details = '{"asksValidUntil":true,"renewDays":20}'
    from (select id, workspace_id from (
      select document.id, sent.workspace_id, row_number() over (partition by sent.workspace_id order by sent.id desc) as place
      from envelopes as sent join envelope_documents as document on document.envelope_id = sent.id and document.name = 'Passport'
      where sent.status = 'completed') where place <= ceil(${DUE} / 1000.0) order by place limit ${DUE}) as chosen
    where envelope_documents.id = chosen.id`);
}

const COPIED =
  "address, name, every, unit, send_hour, weekend, if_open, text_bytes, created_at, updated_at".split(", ");

/** Copies of the first series, in all workspaces in turn. */
async function insertSeries(db: Database, { day, dueAt }: { day: string; dueAt: string }): Promise<void> {
  const columns = sql.raw(COPIED.join());
  const copied = sql.raw(COPIED.map((name) => `series.${name}`).join());
  await db.run(sql`
    insert into series (${columns}, workspace_id, user_id, envelope, start_on, next_on, due_at)
    with recursive n(i) as (select 1 union all select i + 1 from n where i * (select count(*) from workspaces) < ${DUE})
    select ${copied}, place.id, place.user_id, json_set(series.envelope, '$.workspaceId', place.id), ${day}, ${day}, ${dueAt}
    from n cross join workspaces as place cross join series where series.id = 1 order by n.i, place.id limit ${DUE}`);
  await db.run(sql`
    insert into series_recipients (series_id, recipient)
    select series.id, json_set(one.recipient, '$.recipientEmail', 'person' || series.id || '@example.com')
    from series cross join series_recipients as one where one.series_id = 1 and series.id > 1`);
}

const NEVER = { day: "9998-01-01", dueAt: "9998-01-01T09:00:00.000Z" };

/** Home, lists and links of a server with as many series beside one without any. */
async function whatItCosts(folder: string): Promise<Finding[]> {
  const start = async (name: string) => {
    await mkdir(join(folder, name));
    const server = await startApp(join(folder, name));
    const owner = await signUp(server.url, "owner@example.com");
    await addEnvelopes(join(folder, name), owner, 1000);
    const token = await sendEnvelope(owner, ["Passport"]);
    return { name, server, owner, token };
  };
  const [without, withSeries] = [await start("without"), await start("with")];
  await createSeries(withSeries.owner);
  await withDatabaseAt(`file:${join(folder, "with", "doculopes.db")}`)((db) => insertSeries(db, NEVER));
  const paths = {
    "GET /api/workspaces": () => "/api/workspaces",
    "GET /api/requests, 200 rows": () => "/api/requests?limit=200&view=row",
    "GET /api/submissions/{token}": ({ token }: typeof without) => `/api/submissions/${token}`,
  };
  const findings: Finding[] = [];
  for (const [what, pathOf] of Object.entries(paths)) {
    const measure = (app: typeof without) =>
      rate(app.server, { path: pathOf(app), cookie: app.owner.cookie });
    const { value, baseline } = await compare(
      9,
      () => measure(without),
      () => measure(withSeries),
    );
    findings.push({
      ...{ what: `${what} with ${DUE} series`, unit: "req per CPU s", value },
      baseline: { name: "without", value: baseline },
      goal: { of: "ratio", atLeast: 0.97 },
    });
  }
  for (const { server } of [without, withSeries]) await server.stop();
  return findings;
}
