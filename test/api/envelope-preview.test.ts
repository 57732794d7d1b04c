import { expect, test } from "bun:test";
import { describeApi } from "../support/api/client";
import { ENVELOPE } from "../support/api/envelopes";
import { joinAs } from "../support/api/team";

describeApi("the preview of an envelope", (api) => {
  const preview = async (changes: object, query = "") => {
    const alice = await api.signUp();
    await alice.patch("/api/user/profile", { firstName: "Ada", lastName: "Lovelace" });
    await api.finishBackgroundWork();
    const before = [(await api.mails()).length, (await api.texts()).length];
    const response = await alice.post(`/api/requests/preview${query}`, { ...ENVELOPE, ...changes });
    await api.finishBackgroundWork();
    expect([(await api.mails()).length, (await api.texts()).length]).toEqual(before);
    expect((await alice.get("/api/requests")).body).toEqual([]);
    return { alice, ...response };
  };

  test("is the mail that is sent afterwards and the page of its link, except for the link; nothing is stored or sent by it", async () => {
    const documents = [{ name: "Passport", description: "Photo page", required: true }];
    const envelope = { subject: "Mortgage", message: "Hello\nRita", documents };
    const { alice, status, body } = await preview(envelope);
    expect([status, body.sms]).toEqual([200, null]);
    const sent = await alice.post("/api/requests", { ...ENVELOPE, ...envelope });
    await api.finishBackgroundWork();
    const mail = (await api.mails()).at(-1);
    const text = mail?.text.replace(/\/submit\/\S+/, "/submit/...").replace(/\n.*\/unsubscribe\/\S+/, "");
    expect(sent.status).toBe(201);
    expect([body.email.from, body.email.to, body.email.subject]).toEqual([
      ...[mail?.from, mail?.to, mail?.subject].map(String),
    ]);
    expect(body.email.text).toBe(String(text));
    const [logo] = mail?.images ?? [];
    expect(body.email.html.replace(/data:image\/png;base64,[^"]+/, "cid:logo")).toBe(
      String(mail?.html)
        .replaceAll(/\/submit\/[\w-]+/g, "/submit/...")
        .replace(/<br><a class="soft" href="[^"]*\/unsubscribe\/.*?<\/a>/, ""),
    );
    expect(body.email.html).toContain(`src="data:image/png;base64,${logo?.base64}"`);
    const link = await api.anonymous().get(`/api/submissions/${sent.body.submissionToken}`);
    const [shown] = link.body.documents;
    expect(body.page).toEqual({ ...link.body, documents: [{ ...shown, id: 1 }] });
  });

  test("has the text message where one would be sent, and what is missing is left out", async () => {
    const both = { notificationPreference: "both", recipientPhone: "+15551234567" };
    const { body } = await preview(both, "?kind=update");
    expect(body.sms.to).toBe("+15551234567");
    expect(body.sms.text).toContain("/submit/...");
    expect(body.email.text).toContain("/submit/...");
    const nothing = {
      isDraft: true,
      recipientName: null,
      recipientEmail: null,
      subject: null,
      documents: [],
    };
    expect((await preview(nothing)).status).toBe(200);
  });

  test("is not for viewers, who could not send it", async () => {
    const owner = await api.signUp();
    const viewer = await joinAs(api, owner, "viewer");
    const previewIn = (workspaceId?: number) =>
      viewer.post("/api/requests/preview", { ...ENVELOPE, workspaceId });
    const denied = await previewIn(owner.workspaceId);
    expect([denied.status, denied.body.code]).toEqual([403, "role_required"]);
    expect((await previewIn()).status).toBe(200);
    const stranger = await api.signUp();
    expect((await previewIn(stranger.workspaceId)).status).toBe(404);
  });

  test("rejects what cannot be saved either", async () => {
    expect((await preview({ recipientEmail: "not an address" })).status).toBe(400);
    expect((await preview({ expirationDate: "2020-01-01" })).body.issues[0].path).toBe("expirationDate");
    expect((await preview({}, "?kind=reminder")).status).toBe(400);
  });
});

describeApi("the preview of an account whose address is not verified", { rateLimits: "on" }, (api) => {
  test("is the mail that is sent once it is: only to itself does it say so", async () => {
    const owner = await api.signUp({ proved: false });
    const textTo = async (recipientEmail: string) =>
      (await owner.post("/api/requests/preview", { ...ENVELOPE, recipientEmail })).body.email.text;
    expect(await textTo(owner.email)).toContain("not verified");
    expect(await textTo("rita@example.com")).not.toContain("not verified");
  });
});
