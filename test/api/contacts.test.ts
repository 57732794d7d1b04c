import { expect, test } from "bun:test";
import { describeApi } from "../support/api";

describeApi("contacts", (api) => {
  test("a contact is created in the caller's first workspace and listed", async () => {
    const alice = await api.signUp();
    const created = await alice.post("/api/contacts", {
      firstName: " Ada ",
      email: "ADA@example.com",
      phone: "",
    });
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({
      firstName: "Ada",
      lastName: null,
      email: "ada@example.com",
      phone: null,
      workspaceId: alice.workspaceId,
    });
    expect((await alice.get("/api/contacts")).body).toEqual([created.body]);
  });

  test("a contact without a first name, or with a wrong e-mail, is refused with the specified sentences", async () => {
    const alice = await api.signUp();
    const { status, body } = await alice.post("/api/contacts", { firstName: "", email: "nobody" });
    expect(status).toBe(400);
    expect(body).toEqual({
      code: "validation",
      message: "First name is required",
      issues: [
        { path: "firstName", message: "First name is required" },
        { path: "email", message: "Invalid email" },
      ],
    });
  });

  test("a change touches only what it names, and a contact can be sent back as it came", async () => {
    const alice = await api.signUp();
    const { body: contact } = await alice.post("/api/contacts", { firstName: "Ada", company: "Engines" });
    const changed = await alice.patch(`/api/contacts/${contact.id}`, { lastName: "Lovelace" });
    expect(changed.body).toMatchObject({ firstName: "Ada", lastName: "Lovelace", company: "Engines" });
    expect((await alice.patch(`/api/contacts/${contact.id}`, changed.body)).status).toBe(200);
  });

  test("another account's contact is not there", async () => {
    const [alice, bob] = [await api.signUp(), await api.signUp()];
    const { body: contact } = await alice.post("/api/contacts", { firstName: "Ada" });
    for (const answer of [
      await bob.get(`/api/contacts/${contact.id}`),
      await bob.patch(`/api/contacts/${contact.id}`, { firstName: "Eve" }),
      await bob.delete(`/api/contacts/${contact.id}`),
      await bob.get(`/api/contacts?workspaceId=${alice.workspaceId}`),
      await bob.post("/api/contacts", { firstName: "Eve", workspaceId: alice.workspaceId }),
    ])
      expect(answer.status).toBe(404);
    expect((await alice.get("/api/contacts")).body).toEqual([contact]);
  });

  test("a deleted contact is gone, and envelopes made for it stay without it", async () => {
    const alice = await api.signUp();
    const { body: contact } = await alice.post("/api/contacts", { firstName: "Ada" });
    const { body: draft } = await alice.post("/api/requests", { isDraft: true, contactId: contact.id });
    expect(draft.contact).toEqual({ firstName: "Ada", lastName: null });
    const deleted = await alice.delete(`/api/contacts/${contact.id}`);
    expect([deleted.status, deleted.text]).toEqual([204, ""]);
    expect((await alice.get(`/api/requests/${draft.id}`)).body).toMatchObject({
      contactId: null,
      contact: null,
    });
  });
});
