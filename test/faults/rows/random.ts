import { createClient } from "../../support/api";
import { spawnServer } from "../../support/bun-process";
import { ENVELOPE, linkOf } from "../../support/envelopes";
import { pdfFile, pngFile } from "../../support/files";
import { multipart, trickle } from "../../support/multipart";
import { createRandom } from "../../support/random";
import { expectNoFault, multipartBody, sendRandomRequests } from "../../support/random-requests";
import { settled, usage } from "../resource-usage";
import type { Outcome, RowOptions } from "../row";
import { noAcknowledgements, problemsOfStore } from "../store-check";

const PERSON = { email: "random@example.com", password: "long enough" };
const DOCUMENTS = [
  { name: "Contract", required: true },
  { name: "Photo", allowedFileTypes: ["png"] },
];

/** Random requests and bodies against a real process. */
export async function random({ folder, seed, long }: RowOptions): Promise<Outcome> {
  const server = spawnServer({ DATA_DIR: folder });
  const origin = await server.url;
  const anonymous = () => createClient({ fetch: (request) => fetch(request), origin });
  const alice = Object.assign(anonymous(), PERSON);
  await alice.post("/api/register", PERSON);
  const make = async () => (await alice.post("/api/requests", { ...ENVELOPE, documents: DOCUMENTS })).body;
  const envelope = await make();
  const paths = [String(envelope.id), envelope.submissionToken, "1", "2", "google"];
  const requests = long ? 10_000 : 500;
  const bodies = long ? 2000 : 100;
  const chance = createRandom(seed);
  await sendRandomRequests({ anonymous }, { alice, paths }, chance, 100);
  const before = await usage(server.child.pid);
  await sendRandomRequests({ anonymous }, { alice, paths }, chance, requests);
  await alice.post("/api/login", PERSON);

  const files = [await pdfFile().bytes(), await pngFile().bytes()];
  let link = linkOf(await make());
  for (let count = 0; count < bodies; count++) {
    const { bytes, type, size } = multipartBody(chance, files);
    const content = chance.chance(0.5) && bytes.length < 5000 ? trickle(bytes, size) : bytes;
    const path = chance.chance(0.2) ? "/api/user/avatar" : link;
    const answer = await alice.send("POST", path, content, { "content-type": type });
    expectNoFault(answer, { bytes: bytes.toBase64(), type, size });
    if (answer.status === 201) link = linkOf(await make());
  }
  const fields = Array.from({ length: 100_000 }, (_, index) => ({ name: `f${index}`, content: "x" }));
  const tooManyFields = multipart(fields);
  const refused = await alice.send("POST", link, tooManyFields.bytes, { "content-type": tooManyFields.type });
  expectNoFault(refused, "100,000 fields");
  const after = await settled(server.child.pid, before);
  server.child.kill("SIGTERM");
  await server.child.exited;
  const grown = after.descriptors > before.descriptors + 8;
  return {
    measured: {
      requests,
      bodies,
      "100,000 fields": refused.status,
      "descriptors before and after": `${before.descriptors}, ${after.descriptors}`,
      "memory before and after, MB": `${before.megabytes}, ${after.megabytes}`,
    },
    problems: [
      ...(grown ? [`${after.descriptors} descriptors are open`] : []),
      ...(await problemsOfStore(folder, noAcknowledgements())),
    ],
  };
}
