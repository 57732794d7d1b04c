import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectTcp } from "../../worker/adapters/bun/tcp-connection";
import { createClamdScanner } from "../../worker/adapters/shared/clamd-scanner";
import { fileScannerSuite } from "../contract/file-scanner-suite";
import { createClient } from "../support/api";
import { startBunRuntime } from "../support/bun-runtime";
import { startClamd } from "../support/clamd";
import { EICAR } from "../support/clamd-server";
import { form, linkOf, sendEnvelope } from "../support/envelopes";
import { infectedFile, pdfFile } from "../support/files";
import { callScanner } from "../support/scan-call";
import { startInstance, startWorkerdRuntime } from "../support/workerd";

setDefaultTimeout(120_000);

async function openClamd(more: readonly string[] = []) {
  const folder = await mkdtemp(join(tmpdir(), "doculopes-clamd-"));
  const clamd = await startClamd(folder, more);
  const close = async () => {
    await clamd.stop();
    await rm(folder, { recursive: true, force: true });
  };
  return { clamd, close };
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
  const verdict = await callScanner(scanner, { fill: 200 * 1024, pieces: [EICAR] });
  expect(verdict).toEqual({
    kind: "unknown",
    reason: "Heuristics.Limits.Exceeded.MaxFileSize",
    down: false,
  });
  expect(await callScanner(scanner, { pieces: [EICAR] })).toMatchObject({ kind: "infected" });
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
