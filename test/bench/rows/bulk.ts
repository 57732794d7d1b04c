import { type Account, signUp } from "../harness/account";
import { generateLoad } from "../harness/load";
import { startApp, withFolder } from "../harness/process";
import { quantile, type Row } from "../harness/row";

const RECIPIENTS = 500;
const DOCUMENTS = ["Passport", "Proof of address", "Contract"].map((name) => ({ name }));
const QUESTIONS = Array.from({ length: 30 }, (_, index) => ({
  ...{ name: `Question ${index}`, kind: index % 3 === 0 ? "yesNo" : "text", required: true },
  showIf: index % 3 === 2 ? { name: `Question ${index - 2}`, is: ["yes"] } : null,
}));
const POLL_MS = 100;
const QUIET_MS = 2000;

/** A call for 500 recipients, and one with 30 questions: until it is acknowledged and all are written, and how long others wait meanwhile. */
export const bulk: Row = () =>
  withFolder(async (folder) => {
    const app = await startApp(folder);
    const owner = await signUp(app.url, "owner@example.com");
    const other = await signUp(app.url, "other@example.com");
    const read = { path: "/api/requests", cookie: other.cookie, connections: 2 };
    const quiet = await generateLoad(app.url, { ...read, milliseconds: QUIET_MS });
    const quietWrites = await writeUntil(other, Bun.sleep(QUIET_MS));
    const sent = send(owner, DOCUMENTS);
    const readWhile = async () => {
      const latencies: number[] = [];
      const { finished } = watch(sent);
      while (!finished())
        latencies.push(...(await generateLoad(app.url, { ...read, milliseconds: 200 })).latencies);
      return latencies;
    };
    const [{ acknowledgedMs, writtenMs }, reads, writes] = await Promise.all([
      sent,
      readWhile(),
      writeUntil(other, sent),
    ]);
    const questions = await send(owner, QUESTIONS);
    await app.stop();
    return [
      {
        what: `A call for ${RECIPIENTS} recipients, acknowledged`,
        unit: "ms",
        value: acknowledgedMs,
        goal: { of: "value", atMost: 1000 },
      },
      {
        what: "All of their envelopes written",
        unit: "ms",
        value: writtenMs,
        goal: { of: "value", atMost: 10_000 },
      },
      {
        what: "The same of a call with 30 questions",
        unit: "ms",
        value: questions.writtenMs,
        goal: { of: "value", atMost: 10_000 },
      },
      {
        what: "Somebody else's lists meanwhile, p99",
        unit: "ms",
        value: quantile(reads, 0.99),
        baseline: { name: "without it", value: quantile(quiet.latencies, 0.99) },
        goal: { of: "value", atMost: 100 },
      },
      {
        what: "Somebody else's new contacts meanwhile, p99",
        unit: "ms",
        value: quantile(writes, 0.99),
        baseline: { name: "without it", value: quantile(quietWrites, 0.99) },
        goal: { of: "value", atMost: 100 },
      },
    ];
  });

async function send(
  owner: Account,
  documents: readonly object[],
): Promise<{ acknowledgedMs: number; writtenMs: number }> {
  const recipients = Array.from({ length: RECIPIENTS }, (_, index) => ({
    recipientName: `Person ${index}`,
    recipientEmail: `person${index}@example.com`,
    values: { Fee: String(index) },
  }));
  const envelope = { subject: "Papers of {lastYear}", message: "Dear {firstName}, {Fee}", documents };
  const started = performance.now();
  const response = await owner.send("POST", "/api/requests/bulk", { envelope, recipients });
  if (response.status !== 202) throw new Error(`Not accepted: ${await response.text()}`);
  const { id } = await response.json();
  const acknowledgedMs = performance.now() - started;
  for (;;) {
    const state = await (await owner.send("GET", `/api/requests/bulk/${id}`)).json();
    if (state.finished && state.created !== RECIPIENTS)
      throw new Error(`Not created: ${JSON.stringify(state)}`);
    if (state.finished) return { acknowledgedMs, writtenMs: performance.now() - started };
    await Bun.sleep(POLL_MS);
  }
}

/** Creates contacts one after another until then. @returns how long each took, in ms */
async function writeUntil(account: Account, end: Promise<unknown>): Promise<number[]> {
  const { finished } = watch(end);
  const taken: number[] = [];
  while (!finished()) {
    const started = performance.now();
    const { status } = await account.send("POST", "/api/contacts", { firstName: "Ada" });
    if (status !== 201) throw new Error(`No contact: ${status}`);
    taken.push(performance.now() - started);
    await Bun.sleep(5);
  }
  return taken;
}

/** Whether a promise is fulfilled. */
function watch(promise: Promise<unknown>): { finished(): boolean } {
  let finished = false;
  const end = () => {
    finished = true;
  };
  promise.then(end, end);
  return { finished: () => finished };
}
