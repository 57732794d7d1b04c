import { expect, test } from "bun:test";
import { describeApi } from "../support/api/client";
import { ENVELOPE, form, linkOf, sendEnvelope } from "../support/api/envelopes";
import { joinAs } from "../support/api/team";
import { pdfFile, pngFile } from "../support/files/files";
import { TEST_START } from "../support/runtime/runtime";

const ROUNDS = 5;

/** Two concurrent calls in random order: each response must agree with the final state. */
describeApi("concurrent calls", (api) => {
  test("of a submission and a deletion, either the files are stored or the envelope is gone", async () => {
    const owner = await api.signUp();
    for (let round = 0; round < ROUNDS; round++) {
      const envelope = await sendEnvelope(owner);
      const [submitted, deleted] = await Promise.all([
        api.anonymous().post(linkOf(envelope), form({ Contract: pdfFile() })),
        owner.delete(`/api/requests/${envelope.id}`),
      ]);
      expect(submitted.status).toBeOneOf([201, 404, 410]);
      expect(deleted.status).toBe(204);
      expect((await owner.get(`/api/requests/${envelope.id}`)).status).toBe(404);
    }
    expect(await api.select("select * from submissions")).toEqual([]);
  });

  test("a deletion and a concurrent reminder or message each succeed, or report what was deleted", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const owner = await api.signUp();
      const envelope = await sendEnvelope(owner);
      const [reminded, deleted] = await Promise.all([
        owner.post(`/api/requests/${envelope.id}/remind`),
        owner.delete(`/api/requests/${envelope.id}`),
      ]);
      expect([reminded.status, deleted.status]).toBeOneOf([
        [201, 204],
        [404, 204],
      ]);
      const [written, ended] = await Promise.all([
        owner.post("/api/support/messages", { message: "Goodbye" }),
        owner.delete("/api/user/account"),
      ]);
      expect([written.status, ended.status]).toBeOneOf([
        [204, 204],
        [401, 204],
      ]);
    }
  });

  test("of a submission and a change, the envelope is completed exactly if the recipient got 201", async () => {
    const owner = await api.signUp();
    for (let round = 0; round < ROUNDS; round++) {
      const envelope = await sendEnvelope(owner);
      const [submitted, changed] = await Promise.all([
        api.anonymous().post(linkOf(envelope), form({ Contract: pdfFile() })),
        owner.put(`/api/requests/${envelope.id}`, { ...ENVELOPE, documents: [{ name: "Other" }] }),
      ]);
      expect(submitted.status).toBeOneOf([201, 400, 409]);
      expect(changed.status).toBeOneOf([200, 409]);
      const { body } = await owner.get(`/api/requests/${envelope.id}`);
      expect([body.status, body.submissions.length]).toEqual(
        submitted.status === 201 ? ["completed", 1] : ["pending", 0],
      );
      if (changed.status === 200) expect(submitted.status).not.toBe(201);
      for (const { url } of body.submissions) expect((await owner.get(url)).status).toBe(200);
    }
  });

  test("of two concurrent changes one succeeds completely, and the other is rejected", async () => {
    const owner = await api.signUp();
    for (let round = 0; round < ROUNDS; round++) {
      await api.setClock(new Date(Date.parse(TEST_START) + round * 1000).toISOString());
      const envelope = await sendEnvelope(owner);
      await api.setClock(new Date(Date.parse(TEST_START) + round * 1000 + 500).toISOString());
      const lists = [
        ["One", "Two"],
        ["Two", "Three", "Four"],
      ];
      const responses = await Promise.all(
        lists.map((names) =>
          owner.put(`/api/requests/${envelope.id}`, {
            ...ENVELOPE,
            documents: names.map((name) => ({ name })),
          }),
        ),
      );
      const made = responses.filter(({ status }) => status === 200);
      for (const { status, body } of responses)
        if (status !== 200) expect([status, body.code]).toEqual([409, "envelope_changed"]);
      const { body } = await owner.get(`/api/requests/${envelope.id}`);
      const names = body.documents.map(({ name }: { name: string }) => name);
      expect(made.length).toBeGreaterThan(0);
      expect(lists).toContainEqual(names);
    }
  });

  test("using a contact or template during its deletion succeeds or is rejected, never a server error", async () => {
    const owner = await api.signUp();
    for (let round = 0; round < ROUNDS; round++) {
      const contact = await owner.post("/api/contacts", { firstName: "Ada" });
      const template = await owner.post("/api/templates", { name: "Taxes", fields: [{ name: "Payslip" }] });
      const [, removed, made] = await Promise.all([
        owner.delete(`/api/contacts/${contact.body.id}`),
        owner.delete(`/api/templates/${template.body.id}`),
        owner.post("/api/requests", {
          ...ENVELOPE,
          contactId: contact.body.id,
          templateId: template.body.id,
        }),
      ]);
      expect(removed.status).toBeOneOf([204, 409]);
      expect(made.status).toBeOneOf(removed.status === 204 ? [404, 409] : [201, 404]);
    }
  });

  test("deleting an account in use leaves no row and causes no server error", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const owner = await api.signUp();
      const cookie = { cookie: owner.cookie };
      const envelope = await sendEnvelope(owner);
      const responses = await Promise.all([
        owner.delete("/api/user/account"),
        api.anonymous().send("POST", "/api/contacts", { firstName: "Ada" }, cookie),
        api.anonymous().send("POST", "/api/requests", ENVELOPE, cookie),
        api.anonymous().send("POST", "/api/user/avatar", form({ avatar: pngFile() }), cookie),
        api.anonymous().post("/api/login", { email: owner.email, password: owner.password }),
        api.anonymous().post(linkOf(envelope), form({ Contract: pdfFile() })),
      ]);
      for (const { status } of responses) expect(status).toBeLessThan(500);
      for (const table of ["contacts", "envelopes", "sessions", "notifications"])
        expect(await api.select(`select * from ${table} where user_id = ${owner.id}`)).toEqual([]);
    }
  });

  /** The removal starts between the steps of the move, in each round a little later. */
  test("a move never leaves an envelope with an assignee who was removed from its workspace", async () => {
    for (let round = 0; round < 3 * ROUNDS; round++) {
      const owner = await api.signUp();
      const colleague = await joinAs(api, owner, "member");
      const { body: second } = await owner.post("/api/workspaces", { name: "Second" });
      const sent = await sendEnvelope(owner, { workspaceId: second.id });
      await api.execute(`update envelopes set user_id = ${colleague.id} where id = ${sent.id}`);
      const move = owner.put(`/api/requests/${sent.id}`, { ...ENVELOPE, workspaceId: owner.workspaceId });
      for (let turn = 0; turn < 4 * round; turn++) await Promise.resolve();
      const [moved, removed] = await Promise.all([
        move,
        owner.delete(`/api/workspaces/${owner.workspaceId}/members/${colleague.id}`),
      ]);
      expect(moved.status).toBeOneOf([200, 409]);
      expect(removed.status).toBe(204);
      const after = (await owner.get(`/api/requests/${sent.id}`)).body;
      if (after.workspaceId === owner.workspaceId) expect(after.userId).toBe(owner.id);
    }
  }, 240_000);
});
