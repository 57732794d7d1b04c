import { expect, test } from "bun:test";
import { DAY_MS } from "../../worker/lib/durations";
import { describeApi, type SignedUp } from "../support/api/client";
import { form, linkOf, sendEnvelope } from "../support/api/envelopes";
import { pdfFile } from "../support/files/files";
import { TEST_START } from "../support/runtime/runtime";

type Envelope = { id: number; submissionToken: string };

describeApi("messages before the submission", { rateLimits: "on" }, (api) => {
  const write = (envelope: Envelope, body: unknown) =>
    api.anonymous().send("POST", `${linkOf(envelope)}/messages`, body);
  const timeline = async (owner: SignedUp, { id }: Envelope) =>
    (await owner.get(`/api/requests/${id}/timeline`)).body.filter(
      ({ kind, message }: { kind: string; message?: string }) => kind === "messaged" || message === "message",
    );

  test("reach the requestor by mail, which can be answered, and are part of the timeline", async () => {
    const owner = await api.signUp();
    const envelope = await sendEnvelope(owner);
    const { status, body } = await write(envelope, { text: "  I lost it.\nIs a <copy> enough? " });
    expect([status, body]).toEqual([204, null]);
    await api.finishBackgroundWork();
    const mail = (await api.mails()).findLast(({ to }) => to === owner.email);
    expect(mail).toMatchObject({
      subject: "Rita Recipient has written to you: Papers",
      replyTo: "rita@example.com",
    });
    expect(mail?.text).toContain("> I lost it.\n> Is a <copy> enough?");
    expect(mail?.html).toContain("Is a &lt;copy&gt; enough?");
    expect(mail?.text).toContain(`${api.origin}/?envelope=${envelope.id}`);
    expect(await timeline(owner, envelope)).toMatchObject([
      { kind: "messaged", actor: "recipient", detail: "I lost it.\nIs a <copy> enough?" },
      { kind: "delivery", message: "message", recipient: owner.email, status: "sent" },
    ]);
    const { status: state, note } = (await owner.get(`/api/requests/${envelope.id}`)).body;
    expect([state, note]).toEqual(["pending", null]);
  });

  test("have 1 to 2,000 characters", async () => {
    const owner = await api.signUp();
    const envelope = await sendEnvelope(owner);
    for (const body of [{}, { text: "" }, { text: " \n" }, { text: "x".repeat(2001) }, { text: 7 }]) {
      const rejected = await write(envelope, body);
      expect([rejected.status, rejected.body.code]).toEqual([400, "validation"]);
    }
    expect(await timeline(owner, envelope)).toEqual([]);
    expect((await write(envelope, { text: "x".repeat(2000) })).status).toBe(204);
  });

  test("are limited to ten a day for a link", async () => {
    const owner = await api.signUp();
    const [envelope, other] = [await sendEnvelope(owner), await sendEnvelope(owner)];
    for (let count = 0; count < 10; count += 1)
      expect((await write(envelope, { text: `Message ${count}` })).status).toBe(204);
    const rejected = await write(envelope, { text: "One more" });
    expect([rejected.status, rejected.body.code]).toEqual([429, "rate_limited"]);
    expect(Number(rejected.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await write(other, { text: "Another link" })).status).toBe(204);
    await api.setClock(new Date(Date.parse(TEST_START) + DAY_MS + 60_000).toISOString());
    expect((await write(envelope, { text: "The next day" })).status).toBe(204);
    await api.setClock(TEST_START);
  });

  test("need an open link, whatever they say", async () => {
    const owner = await api.signUp();
    const submitted = await sendEnvelope(owner);
    await api.anonymous().post(linkOf(submitted), form({ Contract: pdfFile() }));
    const draft = (await owner.post("/api/requests", { isDraft: true })).body;
    const unknown = { id: 0, submissionToken: "unknown" };
    for (const [envelope, status] of [
      [submitted, 410],
      [draft, 404],
      [unknown, 404],
    ] as const)
      for (const body of [{ text: "Hello" }, { text: "" }, "not JSON"])
        expect((await write(envelope, body)).status).toBe(status);
  });
});
