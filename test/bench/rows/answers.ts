import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { sql } from "drizzle-orm";
import type { Page } from "playwright-core";
import { openLibsql } from "../../../db/libsql";
import { type Account, addEnvelopes, signUp } from "../harness/account";
import { load, openBrowser } from "../harness/browser";
import { generateLoad } from "../harness/load";
import { startApp, withFolder } from "../harness/process";
import { quantile, type Row } from "../harness/row";

const ENVELOPES = 1000;
const QUESTIONS = 50;
const MEASURED_MS = 3000;
const KEYS = 30;
const SLOWER = 4;

/** The spreadsheet of 1,000 envelopes with 50 answers each, and the page of a link with 100 entries, half with a condition. */
export const answers: Row = () =>
  withFolder(async (folder) => {
    const app = await startApp(folder);
    const browser = await openBrowser();
    try {
      const owner = await signUp(app.url, "owner@example.com");
      const other = await signUp(app.url, "other@example.com");
      const token = await sendConditions(owner);
      await addEnvelopes(folder, owner, ENVELOPES);
      await addAnswers(folder);
      const read = { path: "/api/requests", cookie: other.cookie, connections: 2, milliseconds: MEASURED_MS };
      const quiet = await generateLoad(app.url, read);
      const alone = await download(owner);
      const [during] = await Promise.all([generateLoad(app.url, read), downloadFor(owner, MEASURED_MS)]);
      let keyMs = Number.NaN;
      await load(browser, `${app.url}/submit/${token}`, { selector: "form" }, async (page) => {
        keyMs = await typeKeys(page);
      });
      await app.stop();
      const what = `Answers of ${ENVELOPES} x ${QUESTIONS} as a spreadsheet`;
      return [
        { what, unit: "ms", value: alone.wholeMs, goal: { of: "value", atMost: 1000 } },
        {
          ...{ what: "Its first bytes", unit: "ms", value: alone.firstMs },
          baseline: { name: "all of it", value: alone.wholeMs },
          goal: { of: "ratio", atMost: 0.7 },
        },
        {
          what: "Somebody else's lists meanwhile, p99",
          unit: "ms",
          value: quantile(during.latencies, 0.99),
          baseline: { name: "without it", value: quantile(quiet.latencies, 0.99) },
          goal: { of: "value", atMost: 100 },
        },
        {
          what: `A key in a link of 100 entries with 50 conditions, ${SLOWER}x slower`,
          unit: "CPU ms",
          value: keyMs,
          goal: { of: "value", atMost: 50 },
        },
      ];
    } finally {
      await browser.close();
    }
  });

/** Sends an envelope with 50 questions, each of which opens a further one, and opens them all. @returns its token */
async function sendConditions(owner: Account): Promise<string> {
  const documents = Array.from({ length: 50 }, (_, index) => [
    { name: `Question ${index}`, kind: "yesNo" },
    { name: `More about ${index}`, kind: "text", showIf: { name: `Question ${index}`, is: ["yes"] } },
  ]).flat();
  const recipient = {
    recipientName: "Charles Babbage",
    recipientEmail: "charles@example.com",
    subject: "Tax",
  };
  const sent = await (await owner.send("POST", "/api/requests", { ...recipient, documents })).json();
  const gates = sent.documents.filter(({ kind }: { kind: string }) => kind === "yesNo");
  const kept = Object.fromEntries(gates.map(({ id }: { id: number }) => [id, "yes"]));
  const { status } = await owner.send("PUT", `/api/submissions/${sent.submissionToken}/answers`, {
    answers: kept,
  });
  if (status !== 204) throw new Error(`Not kept: ${status}`);
  return sent.submissionToken;
}

/** Makes the envelopes of the load completed ones, with an answer to each of their questions. */
async function addAnswers(folder: string): Promise<void> {
  const { db, close } = await openLibsql({ url: pathToFileURL(join(folder, "doculopes.db")).href });
  const numbers = sql`(with recursive n(i) as (select 1 union all select i + 1 from n where i < ${QUESTIONS}) select i from n)`;
  const loaded = sql`(select id from envelopes order by id desc limit ${ENVELOPES})`;
  const at = "2026-01-01T00:00:00.000Z";
  await db.run(sql`delete from envelope_documents where envelope_id in ${loaded}`);
  await db.run(
    sql`update envelopes set status = 'completed', is_draft = 0, completed_at = ${at} where id in ${loaded}`,
  );
  await db.run(
    sql`insert into envelope_documents (envelope_id, position, name, required, allowed_file_types, kind) select loaded.id, n.i, 'Question ' || n.i, 0, '[]', 'text' from ${loaded} as loaded, ${numbers} as n`,
  );
  await db.run(
    sql`insert into answers (envelope_id, envelope_document_id, value, sealed, created_at, submitted_at) select envelope_id, id, json_quote('Answer ' || id), 0, ${at}, ${at} from envelope_documents where envelope_id in ${loaded}`,
  );
  close();
}

async function download(owner: Account): Promise<{ firstMs: number; wholeMs: number }> {
  const started = performance.now();
  const since = () => performance.now() - started;
  const { status, body } = await owner.send("GET", "/api/requests/answers.csv");
  let firstMs = 0;
  let last = "";
  let rows = -1;
  for await (const chunk of (body ?? new Blob().stream()).pipeThrough(new TextDecoderStream())) {
    firstMs ||= since();
    rows += chunk.split("\r\n").length - 1;
    last = chunk;
  }
  if (status !== 200 || rows !== ENVELOPES || !last.endsWith("\r\n"))
    throw new Error(`${status}: ${rows} rows`);
  return { firstMs, wholeMs: since() };
}

async function downloadFor(owner: Account, milliseconds: number): Promise<void> {
  for (const end = performance.now() + milliseconds; performance.now() < end; ) await download(owner);
}

/** @returns the processor time of a key until it is painted, with a processor four times slower, in ms */
async function typeKeys(page: Page): Promise<number> {
  await page.getByRole("button", { name: "Next" }).click();
  const field = page.getByLabel("More about 25");
  await field.click();
  const session = await page.context().newCDPSession(page);
  // Time of the thread, which other load on the machine does not change.
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const taken = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return (metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN) * 1000;
  };
  const before = await taken();
  for (let key = 0; key < KEYS; key += 1) {
    await page.keyboard.press("a");
    await page.evaluate(() => new Promise((painted) => requestAnimationFrame(() => setTimeout(painted))));
  }
  if ((await field.inputValue()).length !== KEYS) throw new Error("A key was lost");
  return (((await taken()) - before) / KEYS) * SLOWER;
}
