import { createClient } from "../../support/api/client";
import { ENVELOPE, linkOf } from "../../support/api/envelopes";
import { multipart } from "../../support/api/multipart";
import { pdfFile, pngFile } from "../../support/files/files";
import { expectNoFault } from "../../support/fuzz/expect-no-fault";
import { sendRandomBodies } from "../../support/fuzz/random-bodies";
import { sendRandomRequests } from "../../support/fuzz/random-requests";
import { spawnServer } from "../../support/processes/bun-process";
import { idleUsage, usage } from "../resource-usage";
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
  await sendRandomRequests({ anonymous }, { alice, paths }, { seed, numRuns: 100 });
  const before = await usage(server.child.pid);
  await sendRandomRequests({ anonymous }, { alice, paths }, { seed: seed + 1, numRuns: requests });
  await alice.post("/api/login", PERSON);

  const files = [await pdfFile().bytes(), await pngFile().bytes()];
  const openLink = async () => linkOf(await make());
  await sendRandomBodies(alice, { files, openLink }, { seed: seed + 2, numRuns: bodies });
  const fields = Array.from({ length: 100_000 }, (_, index) => ({ name: `f${index}`, content: "x" }));
  const tooManyFields = multipart(fields);
  const rejected = await alice.send("POST", await openLink(), tooManyFields.bytes, {
    "content-type": tooManyFields.type,
  });
  expectNoFault(rejected, "100,000 fields");
  const after = await idleUsage(server.child.pid, before);
  server.child.kill("SIGTERM");
  await server.child.exited;
  const grown = after.descriptors > before.descriptors + 8;
  return {
    measured: {
      requests,
      bodies,
      "100,000 fields": rejected.status,
      "descriptors before and after": `${before.descriptors}, ${after.descriptors}`,
      "memory before and after, MB": `${before.megabytes}, ${after.megabytes}`,
    },
    problems: [
      ...(grown ? [`${after.descriptors} descriptors are open`] : []),
      ...(await problemsOfStore(folder, noAcknowledgements())),
    ],
  };
}
