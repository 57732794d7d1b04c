import { expect, test } from "bun:test";
import type { Mail } from "../../worker/ports/mailer";
import { describeApi, type SignedUp } from "../support/api/client";
import { ENVELOPE, form, linkOf, sendEnvelope } from "../support/api/envelopes";
import { pdfFile } from "../support/files/files";

const PHONE = { recipientPhone: "+15553334444" };
const FORM = { "content-type": "application/x-www-form-urlencoded" };

describeApi("stopping the mails of a sender", (api) => {
  const mailsTo = async (address: string): Promise<Mail[]> => {
    await api.finishBackgroundWork();
    return (await api.mails()).filter(({ to }) => to === address);
  };
  const pathOf = (mail: Mail | undefined) => new URL(mail?.unsubscribeUrl ?? "http://none").pathname;
  /** An envelope, and the path of the link that stops its mails. */
  async function invite(owner: SignedUp, recipientEmail: string, changes: object = {}) {
    const envelope = await sendEnvelope(owner, { recipientEmail, ...changes });
    const mail = (await mailsTo(recipientEmail)).at(-1);
    return { envelope, path: `/api/requests/${envelope.id}`, link: pathOf(mail), mail };
  }
  const oneClick = (link: string, headers: Record<string, string> = {}) =>
    api.anonymous().send("POST", link, "List-Unsubscribe=One-Click", { ...FORM, ...headers });
  const rejection = (recipient: string) => ({
    code: "recipient_unsubscribed",
    message: `${recipient} does not want emails from you. They can allow them again with the link in one of your earlier emails`,
    params: { recipient },
  });

  test("every mail to a recipient has the same unguessable link, in its headers and its text", async () => {
    const [alice, bob] = [await api.signUp(), await api.signUp()];
    const to = "linked@example.com";
    const { envelope, path, link } = await invite(alice, to);
    expect(link).toMatch(/^\/api\/unsubscribe\/[\w-]{43}$/);
    await alice.post(`${path}/remind`);
    await api.anonymous().post(linkOf(envelope), form({ Contract: pdfFile() }));
    const mails = await mailsTo(to);
    expect(mails.map(({ subject }) => subject.split(":")[0])).toEqual([
      "Papers",
      "Reminder",
      expect.any(String),
    ]);
    for (const mail of mails) {
      expect(pathOf(mail)).toBe(link);
      const page = `${api.origin}${link.replace("/api", "")}`;
      expect(mail.text).toContain(`Stop emails from this sender: ${page}`);
      expect(mail.html).toContain(`href="${page}"`);
    }
    expect((await invite(alice, "linked+tag@example.com")).link).toBe(link);
    expect((await invite(alice, "other@example.com")).link).not.toBe(link);
    expect((await invite(bob, to)).link).not.toBe(link);
    for (const mail of await mailsTo(alice.email)) expect(mail.unsubscribeUrl).toBeUndefined();
    const token = link.split("/").at(-1) ?? "";
    for (const seen of [path, `${path}/notifications`, `${path}/timeline`, "/api/user/export"])
      expect((await alice.get(seen)).text).not.toContain(token);
  });

  test("opening the link changes nothing; a browser gets the page", async () => {
    const alice = await api.signUp();
    await alice.patch("/api/user/profile", {
      firstName: "Ada",
      lastName: "Lovelace",
      companyName: "Engines",
    });
    const { link, path } = await invite(alice, "opened@example.com");
    const read = await api.anonymous().get(link);
    expect([read.status, read.body]).toEqual([
      200,
      {
        sender: { firstName: "Ada", lastName: "Lovelace", companyName: "Engines", email: alice.email },
        brandName: null,
        unsubscribedAt: null,
      },
    ]);
    const workspace = `/api/workspaces/${alice.workspaceId}`;
    await alice.patch(workspace, { brandName: "Engines Tax" });
    const brandName = async () => (await api.anonymous().get(link)).body.brandName;
    expect(await brandName()).toBe("Engines Tax");
    // The recipient of one brand must not learn of another.
    await alice.post("/api/workspaces", { name: "Other" });
    expect(await brandName()).toBeNull();
    const opened = await api.anonymous().get(link, { accept: "text/html,application/xhtml+xml" });
    expect([opened.status, opened.headers.get("location")]).toEqual([303, link.replace("/api", "")]);
    expect((await api.anonymous().send("HEAD", link)).status).toBe(200);
    expect((await alice.get(path)).body.unsubscribedAt).toBeNull();
  });

  test.each([
    ["without any header of a browser", {}],
    ["from another site", { origin: "https://mail.example", "sec-fetch-site": "cross-site" }],
    ["from a sandboxed frame", { origin: "null" }],
  ])("one click stops the mails, %s", async (_name, headers) => {
    const alice = await api.signUp();
    const { link, path } = await invite(alice, "clicked@example.com");
    const stopped = await oneClick(link, headers);
    expect([stopped.status, stopped.body.unsubscribedAt]).toEqual([200, expect.any(String)]);
    expect((await oneClick(link)).body).toEqual(stopped.body);
    expect((await alice.get(path)).body.unsubscribedAt).toBe(stopped.body.unsubscribedAt);
  });

  test("nothing can be sent to that address by mail, and nothing is changed", async () => {
    const [alice, bob] = [await api.signUp(), await api.signUp()];
    const to = "stopped@example.com";
    const { envelope, path, link } = await invite(alice, to);
    const submitted = await invite(alice, to, { subject: "Submitted" });
    await api.anonymous().post(linkOf(submitted.envelope), form({ Contract: pdfFile() }));
    await mailsTo(to);
    const [sent] = (await alice.get(`${path}/notifications`)).body;
    await oneClick(link);
    const before = await mailsTo(to);
    const [list, read] = [await alice.get("/api/requests"), await alice.get(path)];
    const body = { ...ENVELOPE, recipientEmail: "Stopped+again@example.com" };
    const documentId = submitted.envelope.documents[0].id;
    for (const [answer, address] of [
      [await alice.post("/api/requests", body), "stopped+again@example.com"],
      [await alice.put(path, { ...ENVELOPE, recipientEmail: to, message: "New" }), to],
      [await alice.post(`${path}/remind`), to],
      [await alice.post(`${path}/notifications/${sent.id}/retry`), to],
      [await alice.post(`${submitted.path}/review`, { return: [{ documentId, reason: "Blurry" }] }), to],
    ] as const)
      expect([answer.status, answer.body]).toEqual([409, rejection(address)]);
    expect((await alice.get("/api/requests")).body).toEqual(list.body);
    expect((await alice.get(path)).body).toEqual(read.body);
    expect(await mailsTo(to)).toEqual(before);
    // The link itself works, and another sender is not concerned.
    expect((await api.anonymous().get(linkOf(envelope))).status).toBe(200);
    await invite(bob, to);
    expect(await mailsTo(to)).toHaveLength(before.length + 1);
    expect((await alice.post("/api/requests", { ...body, isDraft: true })).status).toBe(201);
  });

  test("messages that wait are cancelled, reminders are not sent, and text messages are", async () => {
    const alice = await api.signUp();
    const to = "quiet@example.com";
    const both = { ...PHONE, notificationPreference: "both" };
    const { path, link } = await invite(alice, to, { ...both, reminderFrequency: "daily" });
    await oneClick(link);
    const texts = (await api.texts()).length;
    const sent = await sendEnvelope(alice, { recipientEmail: to, ...both });
    await api.finishBackgroundWork();
    const outcomes = async (id: number) =>
      (await alice.get(`/api/requests/${id}/notifications`)).body.map(
        ({ channel, status, lastError }: Record<string, string>) => [channel, status, lastError],
      );
    const cancelled = ["email", "cancelled", "The recipient does not want emails from you"];
    expect(await outcomes(sent.id)).toEqual([cancelled, ["sms", "sent", null]]);
    await api.runJobs("2026-03-15T09:30:00.000Z");
    expect((await outcomes(Number(path.split("/").at(-1)))).slice(2)).toEqual([
      cancelled,
      ["sms", "sent", null],
    ]);
    expect(await mailsTo(to)).toHaveLength(1);
    expect((await api.texts()).length).toBe(texts + 2);
    await api.setClock("2026-03-14T09:26:53.000Z");
  });

  test("requests and contacts say since when; the recipient can allow mails again, and only they", async () => {
    const alice = await api.signUp();
    const to = "back@example.com";
    const contact = (await alice.post("/api/contacts", { firstName: "Bea", email: "Back@example.com" })).body;
    expect(contact.unsubscribedAt).toBeNull();
    const { path, link } = await invite(alice, to);
    const at = (await oneClick(link)).body.unsubscribedAt;
    const shown = async () => [
      (await alice.get(path)).body.unsubscribedAt,
      (await alice.get("/api/requests")).body[0].unsubscribedAt,
      (await alice.get("/api/contacts")).body[0].unsubscribedAt,
      (await alice.get(`/api/contacts/${contact.id}`)).body.unsubscribedAt,
      (await alice.patch(`/api/contacts/${contact.id}`, { firstName: "Bea" })).body.unsubscribedAt,
    ];
    expect(await shown()).toEqual([at, at, at, at, at]);
    const foreign = await api.anonymous().send("DELETE", link, undefined, { origin: "https://evil.example" });
    expect([foreign.status, foreign.body.code]).toEqual([403, "cross_site"]);
    expect((await api.anonymous().delete(link)).body.unsubscribedAt).toBeNull();
    expect(await shown()).toEqual([null, null, null, null, null]);
    expect((await alice.post(`${path}/remind`)).status).toBe(201);
    expect(await mailsTo(to)).toHaveLength(2);
  });

  test("the wish outlives the envelopes, but not the account", async () => {
    const alice = await api.signUp();
    const to = "kept@example.com";
    const { path, link } = await invite(alice, to);
    await oneClick(link);
    expect((await alice.delete(path)).status).toBe(204);
    const again = await alice.post("/api/requests", { ...ENVELOPE, recipientEmail: to });
    expect([again.status, again.body]).toEqual([409, rejection(to)]);
    expect(await api.select(`select * from unsubscribe_links where recipient_hash like '%kept%'`)).toEqual(
      [],
    );
    expect((await alice.delete("/api/user/account")).status).toBe(204);
    for (const method of ["GET", "POST", "DELETE"]) {
      const gone = await api.anonymous().send(method, link);
      expect([gone.status, gone.body.code]).toEqual([404, "invalid_token"]);
    }
  });
});
