import { expect, test } from "bun:test";
import { describeApi } from "../support/api/client";
import { addDrafts, form, linkOf, sendEnvelope } from "../support/api/envelopes";
import { pdfFile, pngFile } from "../support/files/files";

describeApi("deleting an account", (api) => {
  test("removes every row and file of the account, and none of another account", async () => {
    const bob = await api.signUp();
    const bobsEnvelope = await sendEnvelope(bob);
    await api.anonymous().post(linkOf(bobsEnvelope), form({ Contract: pdfFile() }));
    const files = await api.storedFiles();

    const alice = await api.signUp();
    const other = { cookie: alice.cookie };
    await alice.post("/api/workspaces", { name: "Second" });
    const contact = await alice.post("/api/contacts", { firstName: "Rita" });
    const template = await alice.post("/api/templates", { name: "Taxes", fields: [{ name: "Payslip" }] });
    await alice.post("/api/user/avatar", form({ avatar: pngFile() }));
    const links = { contactId: contact.body.id, templateId: template.body.id };
    const sent = await sendEnvelope(alice, links);
    await api.anonymous().post(linkOf(sent), form({ Contract: pdfFile() }));
    await sendEnvelope(alice);
    await alice.post("/api/requests", { isDraft: true });
    await api.anonymous().post("/api/password/forgot", { email: alice.email });
    await alice.post("/api/support/messages", { message: "Good-bye" });
    await api.finishBackgroundWork();

    const gone = await alice.delete("/api/user/account");
    expect([gone.status, gone.text, alice.cookie]).toEqual([204, "", ""]);
    for (const [table, column] of [
      ["users", "id"],
      ["sessions", "user_id"],
      ["password_resets", "user_id"],
      ["workspaces", "user_id"],
      ["contacts", "user_id"],
      ["templates", "user_id"],
      ["envelopes", "user_id"],
      ["template_uses", "user_id"],
      ["notifications", "user_id"],
    ])
      expect(await api.select(`select * from ${table} where ${column} = ${alice.id}`)).toEqual([]);
    expect(await api.select(`select * from envelope_documents where envelope_id = ${sent.id}`)).toEqual([]);
    expect(await api.select(`select * from submissions where envelope_id = ${sent.id}`)).toEqual([]);
    expect(await api.storedFiles()).toEqual(files);

    expect((await api.anonymous().get("/api/user", other)).status).toBe(401);
    expect((await api.anonymous().get(linkOf(sent))).status).toBe(404);
    const login = { email: alice.email, password: alice.password };
    expect((await api.anonymous().post("/api/login", login)).status).toBe(401);
    expect((await bob.get(`/api/requests/${bobsEnvelope.id}`)).body.submissions).toHaveLength(1);
    expect((await api.anonymous().post("/api/register", login)).status).toBe(201);
  });

  test("removes the rows and files of fewer than 50 envelopes before the response, of a workspace too", async () => {
    const files = await api.storedFiles();
    const alice = await api.signUp();
    await addDrafts(alice, 48);
    await api.anonymous().post(linkOf(await sendEnvelope(alice)), form({ Contract: pdfFile() }));
    await alice.post("/api/workspaces", { name: "Second" });
    await api.finishBackgroundWork();
    const ofAlice = `select id from envelopes where user_id = ${alice.id}`;
    expect(await api.select(ofAlice)).toHaveLength(49);
    expect((await alice.delete(`/api/workspaces/${alice.workspaceId}`)).status).toBe(204);
    expect([await api.select(ofAlice), await api.storedFiles()]).toEqual([[], files]);
  });

  test("closes an account with many envelopes at once, and deletes their rows and files in parts", async () => {
    const files = await api.storedFiles();
    const alice = await api.signUp();
    const other = { cookie: alice.cookie };
    const sent = await sendEnvelope(alice);
    await api.anonymous().post(linkOf(sent), form({ Contract: pdfFile() }));
    await addDrafts(alice, 60);
    await api.finishBackgroundWork();

    expect((await alice.delete("/api/user/account")).status).toBe(204);
    expect((await api.anonymous().get("/api/user", other)).status).toBe(401);
    expect((await api.anonymous().get(linkOf(sent))).status).toBe(404);
    const login = { email: alice.email, password: alice.password };
    expect((await api.anonymous().post("/api/login", login)).status).toBe(401);
    const asked = await api.anonymous().post("/api/password/forgot", { email: alice.email });
    expect(asked.status).toBe(204);
    await api.finishBackgroundWork();
    const mails = (await api.mails()).filter(({ to }) => to === alice.email);
    expect(mails.at(-1)?.subject).toContain("deleted");
    expect(await api.select(`select * from envelopes where user_id = ${alice.id}`)).toHaveLength(61);

    await api.runJobs();
    for (const [table, column] of [
      ["users", "id"],
      ["workspaces", "user_id"],
      ["envelopes", "user_id"],
      ["notifications", "user_id"],
    ])
      expect(await api.select(`select * from ${table} where ${column} = ${alice.id}`)).toEqual([]);
    await api.runJobs();
    expect(await api.storedFiles()).toEqual(files);
    expect((await api.anonymous().post("/api/register", login)).status).toBe(201);
  });
});
