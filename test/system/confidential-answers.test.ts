import { expect, test } from "bun:test";
import { join } from "node:path";
import { createClient } from "../support/api/client";
import { linkOf, sendEnvelope } from "../support/api/envelopes";
import { filesWith } from "../support/files/files-with";
import { spawnServer } from "../support/processes/bun-process";
import { runOperatorCommand } from "../support/processes/operator-command";
import { startGateway } from "../support/servers/http-gateway";
import { makeFolder } from "../support/temporary-folder";

const DOCUMENTS = [
  { name: "Plain", kind: "text" },
  { name: "Word", kind: "text", confidential: true },
  { name: "Account", kind: "text", format: "iban", confidential: true },
  { name: "Salary", kind: "number", confidential: true },
];
const PLAIN = "an axolotl";
/** None of them occurs elsewhere by chance. */
const FIRST = ["a quetzal in March", "DE89370400440532013000", "918273645.11"];
const LATER = ["a pangolin in May", "GB82WEST12345698765432", "564738291.22"];

test("confidential answers are in no byte of the data, a backup, an export, the log, mails and webhooks", async () => {
  const folder = makeFolder();
  const [data, secrets] = [join(folder, "data"), [...FIRST, ...LATER]];
  const receiver = startGateway();
  receiver.respond = () => new Response(receiver.requests.at(-1)?.body);
  const server = spawnServer({ DATA_DIR: data, WEBHOOK_ALLOW_PRIVATE: "on", UNVERIFIED_ENVELOPES: "100" });
  const origin = await server.url;
  const owner = createClient({ fetch, origin });
  const recipient = createClient({ fetch, origin });
  await owner.post("/api/register", { email: "owner@example.com", password: "long enough" });
  const events = ["request.submitted", "request.returned"];
  expect((await owner.post("/api/webhooks", { url: receiver.url, events })).status).toBe(201);
  const envelope = await sendEnvelope(owner, { documents: DOCUMENTS });
  const ids: number[] = envelope.documents.map(({ id }: { id: number }) => id);
  const link = linkOf(envelope);
  const answers = (values: string[]) =>
    Object.fromEntries([PLAIN, ...values].map((value, index) => [ids[index], value]));

  expect((await recipient.put(`${link}/answers`, { answers: answers(LATER) })).status).toBe(204);
  expect((await recipient.put(`${link}/answers`, { answers: answers(FIRST) })).status).toBe(204);
  // What is refused is not logged either.
  const refused = await recipient.put(`${link}/answers`, { answers: { 0: FIRST[0] } });
  expect(refused.status).toBe(400);
  expect((await recipient.post(`${link}/submit`)).status).toBe(201);
  const returned = ids.slice(1).map((documentId) => ({ documentId, reason: "Another one" }));
  expect((await owner.post(`/api/requests/${envelope.id}/review`, { return: returned })).status).toBe(200);
  const again = Object.fromEntries(LATER.map((value, index) => [ids[index + 1], value]));
  expect((await recipient.post(`${link}/submit`, { answers: again })).status).toBe(201);
  for (const [index, value] of LATER.entries()) {
    const revealed = await owner.post(`/api/requests/${envelope.id}/answers/${ids[index + 1]}/reveal`);
    expect(revealed.body).toEqual({ value });
  }
  const spreadsheet = await owner.get(`/api/requests/answers.csv?ids=${envelope.id}`);
  expect(spreadsheet.text).toContain(PLAIN);
  expect((await filesWith(data, secrets)).length).toBe(0);

  const backup = await runOperatorCommand(["backup", join(folder, "backup")], { DATA_DIR: data });
  expect(backup.code).toBe(0);
  server.child.kill("SIGTERM");
  expect(await server.child.exited).toBe(0);
  const archive = await runOperatorCommand(["export", join(folder, "export")], { DATA_DIR: data });
  expect(archive.code).toBe(0);
  const sent = receiver.requests.map(({ body }) => body).join();
  await receiver.stop();

  expect((await filesWith(folder, [PLAIN])).length).toBeGreaterThan(1);
  expect(await filesWith(folder, secrets)).toEqual([]);
  for (const text of [await server.output, sent, spreadsheet.text])
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
}, 300_000);
