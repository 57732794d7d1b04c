import { expect, test } from "bun:test";
import { describeApi } from "../support/api";
import { linkOf, sendEnvelope } from "../support/envelopes";
import { jpegFile, pdfFile } from "../support/files";
import { createRandom } from "../support/random";
import { metadataOf, PIECE_TYPE } from "../support/tus";

const SEED = Number(process.env.FUZZ_SEED ?? 20260314);
const REQUESTS = Number(process.env.FUZZ_TUS ?? 300);

describeApi("random tus requests", (api) => {
  test(`of ${REQUESTS} none is answered with a fault, and every file left is named by a row`, async () => {
    const owner = await api.signUp();
    const random = createRandom(SEED);
    const documents = [{ name: "Contract" }, { name: "Photos", allowedFileTypes: ["jpg"], multiple: true }];
    const open = async () => sendEnvelope(owner, { documents });
    const bodies = [await pdfFile().bytes(), await jpegFile().bytes(), new Uint8Array(70), new Uint8Array(0)];
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
    let envelope = await open();
    let ids = ["unknown"];
    const counts = new Map<number, number>();
    for (let count = 0; count < REQUESTS; count += 1) {
      const asked = envelope.documents.map(({ id }: { id: number }) => id);
      const method = random.pick([
        "POST",
        "POST",
        "PATCH",
        "PATCH",
        "HEAD",
        "DELETE",
        "OPTIONS",
        "GET",
        "PUT",
      ]);
      const headers: Record<string, string> = {};
      const set = (name: string, share: number, values: readonly string[]) => {
        if (random.chance(share)) headers[name] = random.pick(values);
      };
      headers["Tus-Resumable"] = random.chance(0.95) ? "1.0.0" : random.pick(["0.2.2", "x", ""]);
      set("Upload-Length", 0.9, ["70", "580", "5000", ...NUMBERS]);
      set("Upload-Offset", 0.8, ["0", "0", ...NUMBERS]);
      set("Upload-Metadata", 0.9, [
        metadataOf(asked[0], "a.pdf"),
        metadataOf(asked[1], "b.jpg"),
        metadataOf(asked[1], "c.jpg"),
        metadataOf(asked[1], "a.pdf"),
        metadataOf("x", "a.pdf"),
        "document",
        "document !!!",
        ",,,",
        `filename ${"A".repeat(6000)}`,
      ]);
      set("Content-Type", 0.9, [PIECE_TYPE, PIECE_TYPE, PIECE_TYPE, "application/json", ""]);
      set("Upload-Checksum", 0.1, ["sha256 AAAA", "md5 AAAA", `sha256 ${"A".repeat(43)}=`, ""]);
      set("X-HTTP-Method-Override", 0.1, ["PATCH", "HEAD", "DELETE", "GET", "x"]);
      const path = random.pick([
        "uploads",
        "uploads",
        `uploads/${random.pick(ids)}`,
        `uploads/${random.pick(ids)}`,
      ]);
      const withBody = ["POST", "PATCH", "PUT"].includes(method) && random.chance(0.8);
      const body = withBody ? random.pick(bodies) : undefined;
      const answer = await api.anonymous().send(method, `${linkOf(envelope)}/${path}`, body, headers);
      expect([answer.status < 500, method, path, headers]).toEqual([true, method, path, headers]);
      counts.set(answer.status, (counts.get(answer.status) ?? 0) + 1);
      const location = answer.headers.get("location");
      if (location) ids = [location.split("/").at(-1) ?? "", ...ids].slice(0, 4);
      if (random.chance(0.02)) {
        await api.anonymous().send("POST", `${linkOf(envelope)}/submit`, { note: "Enough" });
        envelope = await open();
      }
    }
    for (const status of [201, 204, 400, 404, 412]) expect(counts.get(status) ?? 0).toBeGreaterThan(0);
    await api.settle();
    const rows = await api.select(
      "select file_path as name from submissions union select file_path from uploads",
    );
    const named = new Set(rows.map(({ name }) => String(name)));
    expect((await api.storedFiles()).filter((name) => !named.has(name))).toEqual([]);
  }, 60_000);
});
