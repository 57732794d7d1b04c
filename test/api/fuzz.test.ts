import { expect, test } from "bun:test";
import { describeApi } from "../support/api";
import { sendEnvelope } from "../support/envelopes";
import { pdfFile, pngFile } from "../support/files";
import { trickle } from "../support/multipart";
import { createRandom } from "../support/random";
import { expectNoFault, multipartBody, sendRandomRequests } from "../support/random-requests";

const SEED = Number(process.env.FUZZ_SEED ?? 20260314);
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 400);
const BODIES = Number(process.env.FUZZ_BODIES ?? 120);

describeApi("random requests", (api) => {
  test(`of ${REQUESTS} requests over all routes none is answered with a fault`, async () => {
    const alice = await api.signUp();
    const random = createRandom(SEED);
    const envelope = await sendEnvelope(alice);
    const paths = [String(envelope.id), envelope.submissionToken, "1", "2", "google"];
    await sendRandomRequests(api, { alice, paths }, random, REQUESTS);
  }, 60_000);

  test(`of ${BODIES} multipart bodies none is answered with a fault, and what is refused leaves no file`, async () => {
    const alice = await api.signUp();
    const random = createRandom(SEED + 1);
    const files = [await pdfFile().bytes(), await pngFile().bytes()];
    const documents = [{ name: "Contract" }, { name: "Photo", allowedFileTypes: ["png"] }];
    const open = async () => `/api/submissions/${(await sendEnvelope(alice, { documents })).submissionToken}`;
    let link = await open();
    for (let count = 0; count < BODIES; count++) {
      const { bytes, type, size } = multipartBody(random, files);
      const avatar = random.chance(0.2);
      const content = random.chance(0.5) && bytes.length < 5000 ? trickle(bytes, size) : bytes;
      const answer = await alice.send("POST", avatar ? "/api/user/avatar" : link, content, {
        "content-type": type,
      });
      expectNoFault(answer, { bytes: bytes.toBase64(), type, size });
      if (answer.status === 201) link = await open();
    }
    await api.settle();
    const rows = await api.select(
      "select file_path as name from submissions union select substr(avatar_url, 10) from users where avatar_url is not null",
    );
    expect((await api.storedFiles()).sort()).toEqual(rows.map(({ name }) => String(name)).sort());
  }, 60_000);
});
