import { setDefaultTimeout } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectTcp } from "../../worker/adapters/bun/tcp-connection";
import { createClamdScanner } from "../../worker/adapters/shared/clamd-scanner";
import { fileScannerSuite } from "../contract/file-scanner-suite";
import { startClamd } from "../support/clamd";
import { callScanner } from "../support/scan-call";
import { startInstance } from "../support/workerd";

setDefaultTimeout(60_000);

async function openClamd() {
  const folder = await mkdtemp(join(tmpdir(), "doculopes-clamd-"));
  const clamd = await startClamd(folder);
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
