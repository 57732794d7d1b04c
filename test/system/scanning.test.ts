import { expect, setDefaultTimeout, test } from "bun:test";
import { connectTcp } from "../../worker/adapters/bun/tcp-connection";
import { createClamdScanner } from "../../worker/adapters/shared/clamd-scanner";
import { runDoctor } from "../../worker/cli/doctor/doctor";
import { fileScannerSuite } from "../contract/file-scanner-suite";
import { createClient } from "../support/api/client";
import { form, linkOf, sendEnvelope } from "../support/api/envelopes";
import { infectedFile, largePdfFile, pdfFile } from "../support/files/files";
import { spawnServer } from "../support/processes/bun-process";
import { runOperatorCommand } from "../support/processes/operator-command";
import { startBunRuntime } from "../support/runtime/bun-runtime";
import { callScanner } from "../support/runtime/scan-call";
import { startInstance, startWorkerdRuntime } from "../support/runtime/workerd";
import { startClamd } from "../support/servers/clamd";
import { EICAR, STREAM_MAX } from "../support/servers/clamd-server";
import { makeFolder } from "../support/temporary-folder";
import { waitFor } from "../support/wait";

setDefaultTimeout(300_000);

async function openClamd(more: readonly string[] = []) {
  const clamd = await startClamd(makeFolder(), more);
  return { clamd, close: clamd.stop };
}

fileScannerSuite("a real clamd, from Bun", async () => {
  const { clamd, close } = await openClamd();
  const scanner = createClamdScanner(clamd.url, connectTcp);
  return { scan: (call) => callScanner(scanner, call), close };
});

fileScannerSuite("a real clamd, from workerd", async () => {
  const { clamd, close } = await openClamd();
  const { command } = await startInstance({ clamavUrl: clamd.url });
  return { scan: (call) => command("scan", JSON.stringify(call)), close };
});

test("a real clamd that reports its limits does not call larger files clean", async () => {
  const { clamd, close } = await openClamd(["MaxFileSize 100K", "AlertExceedsMax yes"]);
  const scanner = createClamdScanner(clamd.url, connectTcp);
  const verdict = await callScanner(scanner, { fill: 200 * 1024, chunks: [EICAR] });
  expect(verdict).toEqual({
    kind: "unknown",
    reason: expect.stringContaining("clamd's settings allow (Heuristics.Limits.Exceeded.MaxFileSize)"),
    down: false,
  });
  expect(await callScanner(scanner, { chunks: [EICAR] })).toMatchObject({ kind: "infected" });
  await close();
});

for (const start of [startBunRuntime, startWorkerdRuntime]) {
  test(`an upload is scanned by a real clamd, also after its restart (${start.name})`, async () => {
    const { clamd, close } = await openClamd();
    const runtime = await start({ clamavUrl: clamd.url });
    const { fetch, origin } = runtime;
    const [owner, recipient] = [createClient({ fetch, origin }), createClient({ fetch, origin })];
    await owner.post("/api/register", { email: "tilda@example.com", password: "a long password" });
    const submit = async (file: File) => {
      const envelope = await sendEnvelope(owner);
      const { status, body } = await recipient.post(linkOf(envelope), form({ Contract: file }));
      const withheld = async () => {
        const { submissions } = (await owner.get(`/api/requests/${envelope.id}`)).body;
        return submissions.map((entry: { withheld: string | null }) => entry.withheld);
      };
      return { status, code: body.code, withheld };
    };

    const rejected = await submit(infectedFile());
    expect([rejected.status, rejected.code, await rejected.withheld()]).toEqual([400, "infected_file", []]);
    const clean = await submit(pdfFile());
    expect([clean.status, await clean.withheld()]).toEqual([201, [null]]);

    await clamd.stop();
    const [quarantined, harmful] = [await submit(pdfFile()), await submit(infectedFile())];
    expect([quarantined.status, await quarantined.withheld()]).toEqual([201, ["checking"]]);
    expect([harmful.status, await harmful.withheld()]).toEqual([201, ["checking"]]);
    await clamd.start();
    await runtime.runJobs();
    await runtime.finishBackgroundWork();
    expect([await quarantined.withheld(), await harmful.withheld()]).toEqual([[null], ["infected"]]);
    expect(await runtime.storedFiles()).toHaveLength(2);
    await runtime.stop();
    await close();
  });
}

test("a file that clamd rejects as too large is listed with the reason, and released by the operator", async () => {
  const { clamd, close } = await openClamd();
  const variables = { DATA_DIR: makeFolder(), CLAMAV_URL: clamd.url };
  const server = spawnServer(variables);
  const origin = await server.url;
  const owner = createClient({ fetch, origin });
  await owner.post("/api/register", { email: "tilda@example.com", password: "a long password" });
  const envelope = await sendEnvelope(owner);
  expect((await owner.post(linkOf(envelope), form({ Contract: largePdfFile(STREAM_MAX + 1) }))).status).toBe(
    201,
  );
  const read = async () => (await owner.get(`/api/requests/${envelope.id}`)).body.submissions[0];
  expect((await read()).withheld).toBe("checking");
  server.child.kill("SIGTERM");
  await server.child.exited;

  // The jobs run at the start.
  const next = spawnServer(variables);
  const again = createClient({ fetch, origin: await next.url });
  await again.post("/api/login", { email: "tilda@example.com", password: "a long password" });
  const file = async () => (await again.get(`/api/requests/${envelope.id}`)).body.submissions[0];
  await waitFor("the scan", async () => (await file()).withheld === "unscannable");
  const { output } = await runOperatorCommand(["quarantine"], variables);
  // clamd closes the connection after its reply, which may be lost with it.
  expect(output).toMatch(
    /the file (?:is larger than clamd's settings allow \(INSTREAM size limit exceeded\. ERROR\)|may be larger than StreamMaxLength)/,
  );
  const { id } = await file();
  expect(await runOperatorCommand(["quarantine", "release", String(id)], variables)).toEqual({
    code: 0,
    output: "large.pdf can be downloaded now, without a virus scan",
    problems: "",
  });
  const released = await file();
  expect(released.withheld).toBeNull();
  expect(await again.bytes(released.url)).toHaveLength(STREAM_MAX + 1);
  expect((await runOperatorCommand(["quarantine", "release", String(id)], variables)).problems).toBe(
    `No quarantined file has the id ${id}; \`quarantine\` shows all of them`,
  );
  expect((await runOperatorCommand(["audit"], variables)).output).toMatch(/file_released +tilda@example.com/);
  next.child.kill("SIGTERM");
  await next.child.exited;

  const findings = async (MAX_FILE_MB: string) =>
    (await runDoctor({ ...variables, PORT: "0", MAX_FILE_MB })).filter(
      ({ subject }) => subject === "Virus scanner",
    );
  expect(await findings("1")).toMatchObject([{ level: "ok", text: expect.stringContaining("also of 1 MB") }]);
  expect(await findings("2")).toMatchObject([
    {
      level: "failure",
      text: expect.stringMatching(/^tcp:\S+ does not scan a file of MAX_FILE_MB, 2 MB: .*larger than/),
      advice: expect.stringContaining("StreamMaxLength"),
    },
  ]);
  await close();
});
