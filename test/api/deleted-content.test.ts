import { afterEach, beforeEach, expect, test } from "bun:test";
import { type Api, describeApi, type SignedUp } from "../support/api/client";
import { sendMarkedEnvelope, useMarkedEnvelope } from "../support/api/marked-envelope";
import { startGateway, type TestGateway } from "../support/servers/http-gateway";

const START = "2026-03-14T09:26:53.000Z";
const after = (seconds: number) => new Date(Date.parse(START) + seconds * 1000).toISOString();
const EVENTS = [
  "request.sent",
  "request.opened",
  "request.submitted",
  "request.returned",
  "request.deleted",
  "notification.failed",
];

/** The tables in which one of the texts is stored. A virtual one stores its content in tables of its own. */
async function tablesWith(api: Api, ...texts: string[]): Promise<string[]> {
  const named = await api.select(
    "select name from sqlite_master where type = 'table' and sql not like 'create virtual%' and name not like 'sqlite_%' and name not like '\\_cf%' escape '\\'",
  );
  const found: string[] = [];
  for (const { name } of named) {
    const rows = JSON.stringify(await api.select(`select * from "${name}"`));
    if (texts.some((text) => rows.includes(text))) found.push(String(name));
  }
  return found.sort();
}

describeApi("content that was deleted", { variables: { WEBHOOK_ALLOW_PRIVATE: "on" } }, (api) => {
  let receiver: TestGateway;
  let alice: SignedUp;
  let webhook: { id: number };
  beforeEach(async () => {
    await api.setClock(START);
    receiver = startGateway();
    // Repeats the message.
    receiver.respond = () => new Response(receiver.requests.at(-1)?.body);
    alice = await api.signUp();
    webhook = (await alice.post("/api/webhooks", { url: receiver.url, events: EVENTS })).body;
  });
  afterEach(async () => {
    await api.execute("delete from webhooks");
    await receiver.stop();
  });

  test("is in no table after the deletion of its envelope", async () => {
    const mark = "quetzal";
    const { id, submissionToken } = await useMarkedEnvelope(api, alice, mark);
    await api.finishBackgroundWork();
    expect(receiver.requests.length).toBeGreaterThan(3);
    expect(await tablesWith(api, mark, submissionToken)).toEqual([
      "envelope_documents",
      "envelope_events",
      "envelopes",
      "notifications",
      "submissions",
      "template_uses",
      "uploads",
      "webhook_deliveries",
    ]);
    expect((await alice.delete(`/api/requests/${id}`)).status).toBe(204);
    await api.finishBackgroundWork();
    expect(JSON.parse(receiver.requests.at(-1)?.body ?? "{}").data.subject).toContain(mark);
    expect(await tablesWith(api, mark, submissionToken)).toEqual([]);
    expect(await api.storedFiles()).toEqual([]);
  });

  test.each([
    ["delivered", () => api.setClock(after(60)).then(() => api.runJobs())],
    [
      "given up",
      async () => {
        receiver.respond = () => new Response("no", { status: 500 });
        await api.execute("update webhook_deliveries set attempts = 7");
        await api.runJobs(after(60));
      },
    ],
    ["cancelled with their webhook", () => alice.patch(`/api/webhooks/${webhook.id}`, { enabled: false })],
    ["deleted with their webhook", () => alice.delete(`/api/webhooks/${webhook.id}`)],
    ["deleted with their account", () => alice.send("DELETE", "/api/user", { password: alice.password })],
  ])("stays for waiting deliveries only, until they are %s", async (_, end) => {
    const mark = "toucan";
    receiver.respond = () => new Response("broken", { status: 500 });
    const { id } = await sendMarkedEnvelope(alice, mark);
    await api.finishBackgroundWork();
    await alice.delete(`/api/requests/${id}`);
    await api.finishBackgroundWork();
    expect(await tablesWith(api, mark)).toEqual(["webhook_snapshots"]);
    receiver.respond = () => new Response(receiver.requests.at(-1)?.body);
    await end();
    await api.finishBackgroundWork();
    for (const minutes of [2, 3, 4, 5]) await api.runJobs(after(minutes * 60));
    expect(await tablesWith(api, mark)).toEqual([]);
  });

  test("is sent no more when a message about it is sent again", async () => {
    const { id } = await sendMarkedEnvelope(alice, "hoatzin");
    await alice.delete(`/api/requests/${id}`);
    await api.finishBackgroundWork();
    const path = `/api/webhooks/${webhook.id}/deliveries`;
    const [deleted] = (await alice.get(path)).body;
    receiver.requests.length = 0;
    expect((await alice.post(`${path}/${deleted.id}/redeliver`)).status).toBe(200);
    await api.finishBackgroundWork();
    expect(receiver.requests.map(({ body }) => JSON.parse(body))).toEqual([
      { type: "request.deleted", timestamp: START, data: { id } },
    ]);
  });
});
