import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Verdict } from "../../worker/ports/file-store";
import type { ScanCall } from "../support/runtime/scan-call";
import { EICAR, STREAM_MAX } from "../support/servers/clamd-server";

export type OpenScanner = { scan(call: ScanCall): Promise<Verdict>; close(): unknown };

/**
 * The contract of a scanner, tested with a clamd that accepts files up to 1 MiB and reports the EICAR text as
 * Doculopes.Test; a clamd with its own database adds a suffix.
 */
export function fileScannerSuite(name: string, open: () => Promise<OpenScanner>): void {
  describe(`file scanner: ${name}`, () => {
    let opened: OpenScanner;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened.close());

    const infected: Verdict = {
      kind: "infected",
      virus: expect.stringMatching(/^Doculopes\.Test(?:\.UNOFFICIAL)?$/),
    };

    test("a harmless file and an empty one are clean", async () => {
      expect(await opened.scan({ chunks: ["%PDF-1.7", " a letter"] })).toEqual({ kind: "clean" });
      expect(await opened.scan({ chunks: [] })).toEqual({ kind: "clean" });
    });

    test("a virus is found and named, alone and after other bytes", async () => {
      expect(await opened.scan({ chunks: [EICAR] })).toEqual(infected);
      expect(await opened.scan({ fill: STREAM_MAX / 2, chunks: [EICAR, "after it"] })).toEqual(infected);
    });

    test("a virus is found in single-byte chunks, and an empty chunk does not end the file", async () => {
      expect(await opened.scan({ chunks: ["%PDF", "", ...EICAR] })).toEqual(infected);
    });

    test("the verdict on a file that is too large is unknown, and others are still scanned", async () => {
      const verdict = await opened.scan({ fill: STREAM_MAX + 1, chunks: [] });
      expect(verdict).toEqual({ kind: "unknown", reason: expect.any(String), down: false });
      expect(await opened.scan({ fill: STREAM_MAX, chunks: [] })).toEqual({ kind: "clean" });
    });

    test("each of many concurrent files has its own verdict", async () => {
      const calls = Array.from({ length: 20 }, (_, index) =>
        opened.scan({ fill: index * 1000, chunks: index % 3 === 0 ? [EICAR] : ["clean"] }),
      );
      const kinds = (await Promise.all(calls)).map(({ kind }) => kind);
      expect(kinds).toEqual(kinds.map((_, index) => (index % 3 === 0 ? "infected" : "clean")));
    });
  });
}
