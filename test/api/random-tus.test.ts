import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { describeApi } from "../support/api/client";
import { linkOf, sendEnvelope } from "../support/api/envelopes";
import { CHUNK_TYPE, metadataOf } from "../support/api/tus";
import { jpegFile, pdfFile } from "../support/files/files";

const SEED = Number(process.env.FUZZ_SEED ?? 20260314);
const REQUESTS = Number(process.env.FUZZ_TUS ?? 300);

const NUMBERS = [
  "0",
  "1",
  "70",
  "159",
  "580",
  "-1",
  "1e3",
  "",
  "9".repeat(15),
  "9".repeat(400),
  "x",
  "5000000",
];
/** Metadata by the ids of the requested documents. */
const METADATA: ((contract: number, photos: number) => string)[] = [
  (contract) => metadataOf(contract, "a.pdf"),
  (_, photos) => metadataOf(photos, "b.jpg"),
  (_, photos) => metadataOf(photos, "c.jpg"),
  (_, photos) => metadataOf(photos, "a.pdf"),
  () => metadataOf("x", "a.pdf"),
  () => "document",
  () => "document !!!",
  () => ",,,",
  () => `filename ${"A".repeat(6000)}`,
];

/** The header, in this percentage of the requests. */
const header = <Value>(share: number, values: readonly Value[]) =>
  fc.oneof(
    { arbitrary: fc.constantFrom(...values), weight: share },
    { arbitrary: fc.constant(undefined), weight: 100 - share },
  );

const request = fc.record({
  method: fc.constantFrom("POST", "POST", "PATCH", "PATCH", "HEAD", "DELETE", "OPTIONS", "GET", "PUT"),
  headers: fc.record({
    "Tus-Resumable": fc.oneof(
      { arbitrary: fc.constant("1.0.0"), weight: 95 },
      { arbitrary: fc.constantFrom("0.2.2", "x", ""), weight: 5 },
    ),
    "Upload-Length": header(90, ["70", "580", "5000", ...NUMBERS]),
    "Upload-Offset": header(80, ["0", "0", ...NUMBERS]),
    "Content-Type": header(90, [CHUNK_TYPE, CHUNK_TYPE, CHUNK_TYPE, "application/json", ""]),
    "Upload-Checksum": header(10, ["sha256 AAAA", "md5 AAAA", `sha256 ${"A".repeat(43)}=`, ""]),
    "X-HTTP-Method-Override": header(10, ["PATCH", "HEAD", "DELETE", "GET", "x"]),
  }),
  metadata: header(90, METADATA),
  /** Which of the latest uploads to use; undefined for all of them. */
  upload: header(50, [0, 1, 2, 3]),
  body: header(80, [0, 1, 2, 3]),
  submits: header(2, [true]),
});

describeApi("random tus requests", (api) => {
  test(`none of ${REQUESTS} returns a server error, and every remaining file has a row`, async () => {
    const owner = await api.signUp();
    const documents = [{ name: "Contract" }, { name: "Photos", allowedFileTypes: ["jpg"], multiple: true }];
    const open = async () => sendEnvelope(owner, { documents });
    const bodies = [await pdfFile().bytes(), await jpegFile().bytes(), new Uint8Array(70), new Uint8Array(0)];
    let envelope = await open();
    let ids = ["unknown"];
    const counts = new Map<number, number>();
    const send = fc.asyncProperty(request, async ({ method, upload, body, submits, ...given }) => {
      const [contract, photos] = envelope.documents;
      const metadata = given.metadata?.(contract.id, photos.id);
      const all = { ...given.headers, "Upload-Metadata": metadata };
      const headers = Object.fromEntries(
        Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
      );
      const path = upload === undefined ? "uploads" : `uploads/${ids[upload % ids.length]}`;
      const content =
        ["POST", "PATCH", "PUT"].includes(method) && body !== undefined ? bodies[body] : undefined;
      const response = await api.anonymous().send(method, `${linkOf(envelope)}/${path}`, content, headers);
      expect([response.status < 500, method, path, headers]).toEqual([true, method, path, headers]);
      counts.set(response.status, (counts.get(response.status) ?? 0) + 1);
      const location = response.headers.get("location");
      if (location) ids = [location.split("/").at(-1) ?? "", ...ids].slice(0, 4);
      if (submits) {
        await api.anonymous().send("POST", `${linkOf(envelope)}/submit`, { note: "Enough" });
        envelope = await open();
      }
    });
    await fc.assert(send, { seed: SEED, numRuns: REQUESTS });
    for (const status of [201, 204, 400, 404, 412]) expect(counts.get(status) ?? 0).toBeGreaterThan(0);
    await api.finishBackgroundWork();
    const rows = await api.select(
      "select file_path as name from submissions union select file_path from uploads",
    );
    const named = new Set(rows.map(({ name }) => String(name)));
    expect((await api.storedFiles()).filter((name) => !named.has(name))).toEqual([]);
  }, 240_000);
});
