import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { connectTcp } from "../../worker/adapters/bun/tcp-connection";
import { createClamdScanner } from "../../worker/adapters/shared/clamd-scanner";
import type { Verdict } from "../../worker/ports/file-store";
import { callScanner, type ScanCall } from "../support/runtime/scan-call";
import { startInstance } from "../support/runtime/workerd";
import { type ClamdFault, type ClamdServer, EICAR, startClamdServer } from "../support/servers/clamd-server";
import { fileScannerSuite, type OpenScanner } from "./file-scanner-suite";

setDefaultTimeout(240_000);

const MIB = 1024 * 1024;

let clamd: ClamdServer;
beforeAll(async () => {
  clamd = await startClamdServer();
});
afterEach(() => clamd.misbehave(undefined));
afterAll(() => clamd.stop());

const RUNTIMES: Record<string, () => Promise<OpenScanner>> = {
  "clamd's protocol from Bun": async () => {
    const scanner = createClamdScanner(clamd.url, connectTcp);
    return { scan: (call) => callScanner(scanner, call), close: () => {} };
  },
  "clamd's protocol from workerd": async () => {
    const { command } = await startInstance({ clamavUrl: clamd.url });
    return { scan: (call) => command("scan", JSON.stringify(call)), close: () => {} };
  },
};

for (const [name, open] of Object.entries(RUNTIMES)) {
  fileScannerSuite(name, open);

  describe(name, () => {
    let scan: (call: ScanCall) => ReturnType<OpenScanner["scan"]>;
    beforeAll(async () => {
      ({ scan } = await open());
    });
    const unknown = (down: boolean): Verdict => ({ kind: "unknown", reason: expect.any(String), down });

    test("without a scanner the verdict is unknown, and the next file is scanned once it is back", async () => {
      await clamd.stop();
      expect(await scan({ chunks: ["a letter"] })).toEqual(unknown(true));
      await clamd.start();
      expect(await scan({ chunks: ["a letter"] })).toEqual({ kind: "clean" });
    });

    const FAULTS: Partial<Record<ClamdFault, boolean>> = {
      garbage: true,
      endless: false,
      "breaks off": false,
      failing: false,
      limited: false,
    };
    for (const [fault, down] of Object.entries(FAULTS)) {
      test(`the verdict of a scanner that is ${fault} is unknown`, async () => {
        clamd.misbehave(fault as ClamdFault);
        expect(await scan({ fill: 100_000, chunks: ["a letter"] })).toEqual(unknown(down));
        await clamd.idle();
      });
    }

    test('an early "clean" does not count before the whole file was sent', async () => {
      clamd.misbehave("hasty");
      expect(await scan({ fill: 64 * MIB, chunks: [EICAR] })).toEqual(unknown(true));
    });

    test("a scanner that never answers times out", async () => {
      clamd.misbehave("silent");
      expect(await scan({ chunks: ["a letter"], withinMs: 200 })).toEqual(unknown(true));
      await clamd.idle();
    });

    test("a scanner that stops reading times out", async () => {
      clamd.misbehave("deaf");
      expect(await scan({ fill: 64 * MIB, chunks: [], withinMs: 500 })).toEqual(unknown(true));
    });

    test("a connection is closed after each file", async () => {
      await scan({ chunks: ["a letter"] });
      await clamd.idle();
    });
  });
}

test("a file is read only as fast as the scanner reads it", async () => {
  clamd.misbehave("deaf");
  let read = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      read += MIB;
      controller.enqueue(new Uint8Array(MIB));
    },
  });
  const scanner = createClamdScanner(clamd.url, connectTcp);
  expect((await scanner.scan(endless, AbortSignal.timeout(500))).kind).toBe("unknown");
  expect(read).toBeLessThan(32 * MIB);
});

test("a file that cannot be read is not reported as a scanner failure", async () => {
  const broken = new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.error(new Error("The disk is gone"));
    },
  });
  const scanner = createClamdScanner(clamd.url, connectTcp);
  await expect(scanner.scan(broken, AbortSignal.timeout(5000))).rejects.toThrow("The disk is gone");
  await clamd.idle();
});

test("a scanner that does not accept the connection times out", async () => {
  const scanner = createClamdScanner("tcp://[::1]:3310", () => new Promise(() => {}), { connectMs: 50 });
  const verdict = await callScanner(scanner, { chunks: ["a letter"] });
  expect(verdict).toEqual({ kind: "unknown", reason: "it did not answer in time", down: true });
});

test("a connection that is closed before the end of a file is confirmed names the limit of sizes", async () => {
  const { promise: closed, resolve: end } = Promise.withResolvers<void>();
  const scanner = createClamdScanner("tcp://localhost:3310", async () => ({
    write: async (bytes) => {
      if (bytes.some((byte) => byte !== 0)) return;
      end();
      throw new Error("write EPIPE");
    },
    incoming: new ReadableStream({ pull: (controller) => closed.then(() => controller.close()) }),
    close: () => {},
  }));
  const verdict = await scanner.scan(new Blob(["a letter"]).stream(), AbortSignal.timeout(5000));
  expect(verdict).toEqual({
    kind: "unknown",
    reason: expect.stringContaining("the file may be larger than StreamMaxLength"),
    down: false,
  });
});
