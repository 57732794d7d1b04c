import { expect, test } from "bun:test";
import { describeApi } from "../support/api/client";
import { FILLED_CONTACT } from "../support/api/filled-fields";

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

  test("a contact without a first name or with an invalid e-mail is rejected with the specified messages", async () => {
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

  test("a change affects only the given fields, and a contact can be sent back unchanged", async () => {
    const alice = await api.signUp();
    const { body: contact } = await alice.post("/api/contacts", { firstName: "Ada", company: "Engines" });
    const changed = await alice.patch(`/api/contacts/${contact.id}`, { lastName: "Lovelace" });
    expect(changed.body).toMatchObject({ firstName: "Ada", lastName: "Lovelace", company: "Engines" });
    expect((await alice.patch(`/api/contacts/${contact.id}`, changed.body)).status).toBe(200);
  });

  test("another account's contact is not found", async () => {
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

  test("deleting a contact leaves its envelopes without a contact", async () => {
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

  test("null and blank clear optional fields, and owner and workspace cannot be changed", async () => {
    const [alice, bob] = [await api.signUp(), await api.signUp()];
    const whole = {
      ...FILLED_CONTACT,
      firstName: "Ada",
      lastName: "Lovelace",
      email: "ada@example.com",
      phone: "(555) 123-4567 ext. 8",
      company: "Engines",
      notes: " First\nsecond ",
    };
    const { body: contact } = await alice.post("/api/contacts", whole);
    expect(contact).toEqual({
      ...whole,
      notes: "First\nsecond",
      id: expect.any(Number),
      userId: alice.id,
      workspaceId: alice.workspaceId,
      createdAt: "2026-03-14T09:26:53.000Z",
      updatedAt: "2026-03-14T09:26:53.000Z",
      unsubscribedAt: null,
    });
    const change = (body: object) => alice.patch(`/api/contacts/${contact.id}`, body);
    const changed = { ...contact, updatedAt: expect.any(String) };
    expect((await change({})).body).toEqual(changed);
    const chosen = { id: 1, userId: bob.id, workspaceId: bob.workspaceId, createdAt: "2000-01-01" };
    expect((await change(chosen)).body).toEqual(changed);
    expect((await change({ lastName: null, email: "", phone: " ", notes: null })).body).toEqual({
      ...changed,
      lastName: null,
      email: null,
      phone: null,
      notes: null,
    });
    for (const firstName of ["", " ", null])
      expect((await change({ firstName })).body.message).toBe("First name is required");
    expect((await change({ email: "ada@" })).body.message).toBe("Invalid email");
    expect((await alice.post("/api/contacts", contact)).status).toBe(201);
    expect((await bob.get("/api/contacts")).body).toEqual([]);
  });
});
