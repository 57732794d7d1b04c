import { expect, test } from "bun:test";
import { describeApi } from "../support/api/client";
import { linkOf, sendEnvelope } from "../support/api/envelopes";
import { pdfFile, pngFile } from "../support/files/files";
import { sendRandomBodies } from "../support/fuzz/random-bodies";
import { sendRandomRequests } from "../support/fuzz/random-requests";

const SEED = Number(process.env.FUZZ_SEED ?? 20260314);
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 400);
const BODIES = Number(process.env.FUZZ_BODIES ?? 120);

describeApi("random requests", (api) => {
  test(`none of ${REQUESTS} requests to all routes returns a server error`, async () => {
    const alice = await api.signUp();
    const envelope = await sendEnvelope(alice);
    const paths = [String(envelope.id), envelope.submissionToken, "1", "2", "google"];
    await sendRandomRequests(api, { alice, paths }, { seed: SEED, numRuns: REQUESTS });
  }, 240_000);

  test(`none of ${BODIES} multipart bodies returns a server error, and rejected ones leave no file`, async () => {
    const alice = await api.signUp();
    const files = [await pdfFile().bytes(), await pngFile().bytes()];
    const documents = [{ name: "Contract" }, { name: "Photo", allowedFileTypes: ["png"] }];
    const openLink = async () => linkOf(await sendEnvelope(alice, { documents }));
    await sendRandomBodies(alice, { files, openLink }, { seed: SEED + 1, numRuns: BODIES });
    await api.finishBackgroundWork();
    const rows = await api.select(
      "select file_path as name from submissions union select substr(avatar_url, 10) from users where avatar_url is not null union select substr(logo_url, 10) from workspaces where logo_url is not null",
    );
    expect((await api.storedFiles()).sort()).toEqual(rows.map(({ name }) => String(name)).sort());
  }, 240_000);
});
