import { expect, test } from "bun:test";
import { matchesContact } from "../../web/features/contacts/contacts.queries";
import { CONTACT_FIELDS } from "../../worker/contract/contacts";
import { FILTERED_OF_CONTACT } from "../../worker/contract/searched-words";
import { describeApi, type SignedUp } from "../support/api/client";
import { ENVELOPE } from "../support/api/envelopes";
import { FILLED_CONTACT } from "../support/api/filled-fields";
import { joinAs } from "../support/api/team";

/** A line of the export with these cells. */
const lineOf = (cells: Partial<Record<(typeof CONTACT_FIELDS)[number], string>>) =>
  CONTACT_FIELDS.map((field) => cells[field] ?? "").join(",");

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
    for (const response of [
      await bob.get(`/api/contacts/${contact.id}`),
      await bob.patch(`/api/contacts/${contact.id}`, { firstName: "Eve" }),
      await bob.delete(`/api/contacts/${contact.id}`),
      await bob.get(`/api/contacts?workspaceId=${alice.workspaceId}`),
      await bob.post("/api/contacts", { firstName: "Eve", workspaceId: alice.workspaceId }),
    ])
      expect(response.status).toBe(404);
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
      openRequests: 0,
      overdueRequests: 0,
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

  const importInto = (client: SignedUp, contacts: object[], match = "email") =>
    client.post("/api/contacts/bulk", { contacts, match });

  test("many contacts are created and changed at once: absent fields stay, null clears", async () => {
    const alice = await api.signUp();
    const [ada] = [
      (await alice.post("/api/contacts", { ...FILLED_CONTACT, email: "ada@example.com" })).body,
      await alice.post("/api/contacts", { firstName: "Ida", email: "ida@example.com" }),
    ];
    const { status, body } = await importInto(alice, [
      { firstName: "Grace", email: "GRACE@example.com", company: "Navy" },
      { firstName: "Augusta", email: "Ada@Example.com", phone: null },
      { firstName: "Ida", email: "ida@example.com" },
      { firstName: "Without address" },
    ]);
    expect([status, body]).toEqual([201, { created: 2, updated: 1, unchanged: 1 }]);
    const contacts = (await alice.get("/api/contacts")).body;
    expect(contacts).toHaveLength(4);
    const changed = contacts.find(({ id }: { id: number }) => id === ada.id);
    expect(changed).toEqual({
      ...ada,
      firstName: "Augusta",
      phone: null,
      updatedAt: expect.not.stringMatching(ada.updatedAt),
    });
    expect(contacts.find(({ firstName }: { firstName: string }) => firstName === "Grace")).toMatchObject({
      email: "grace@example.com",
      company: "Navy",
      lastName: null,
      userId: alice.id,
      workspaceId: alice.workspaceId,
    });
    const again = await importInto(alice, [{ firstName: "Augusta", email: "ada@example.com" }]);
    expect(again.body).toEqual({ created: 0, updated: 0, unchanged: 1 });
  });

  test("the filter finds a contact by each of its texts, and the picker keeps what it finds", async () => {
    const alice = await api.signUp();
    await alice.post("/api/contacts", FILLED_CONTACT);
    await alice.post("/api/contacts", { firstName: "Ada" });
    for (const field of ["firstName", "lastName", ...FILTERED_OF_CONTACT] as const) {
      const words = FILLED_CONTACT[field] ?? "";
      const { body } = await alice.get(`/api/contacts?filter=${encodeURIComponent(words)}`);
      expect([field, body]).toEqual([field, [expect.objectContaining(FILLED_CONTACT)]]);
      expect([field, matchesContact(body[0], words)]).toEqual([field, true]);
    }
  });

  test("an import with the same Idempotency-Key is not run again, and returns the same counts", async () => {
    const alice = await api.signUp();
    await alice.post("/api/contacts", { firstName: "Ida", email: "ida@example.com" });
    const keyed = (contacts: object[], key: string) =>
      alice.send("POST", "/api/contacts/bulk", { contacts, match: "email" }, { "idempotency-key": key });
    const list = [
      { firstName: "Ida B.", email: "ida@example.com" },
      { firstName: "Grace" },
      { firstName: "Joan" },
    ];
    const first = await keyed(list, "list");
    expect([first.status, first.body]).toEqual([201, { created: 2, updated: 1, unchanged: 0 }]);
    await api.execute("update idempotency_keys set status = null, body = null");
    const again = await keyed(list, "list");
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect((await alice.get("/api/contacts")).body).toHaveLength(3);
    expect((await keyed([{ firstName: "Other" }], "list")).body.code).toBe("idempotency_mismatch");
    const wrong = await keyed([{ firstName: "" }], "wrong");
    expect([wrong.status, (await keyed([{ firstName: "" }], "wrong")).text]).toEqual([400, wrong.text]);
    const same = await keyed([{ firstName: "Ida B.", email: "ida@example.com" }], "same");
    expect(same.body).toEqual({ created: 0, updated: 0, unchanged: 1 });
    expect((await keyed([{ firstName: "Ida B.", email: "ida@example.com" }], "same")).body).toEqual(
      same.body,
    );
  });

  test("an import is not repeated to whoever was removed from its workspace meanwhile", async () => {
    const alice = await api.signUp();
    const member = await joinAs(api, alice, "member");
    const { workspaceId } = alice;
    const body = { contacts: [{ firstName: "Grace" }], match: "none" };
    const send = (key: string, more: object) =>
      member.send("POST", "/api/contacts/bulk", { ...body, ...more }, { "idempotency-key": key });
    const own = (await member.get("/api/workspaces")).body;
    for (const { id } of own) if (id !== workspaceId) await member.delete(`/api/workspaces/${id}`);
    expect((await send("named", { workspaceId })).status).toBe(201);
    expect((await send("default", {})).status).toBe(201);
    expect((await send("default", {})).headers.get("idempotency-replayed")).toBe("true");
    expect((await alice.get("/api/contacts")).body).toHaveLength(2);
    expect((await alice.delete(`/api/workspaces/${workspaceId}/members/${member.id}`)).status).toBe(204);
    for (const repeated of [await send("named", { workspaceId }), await send("default", {})])
      expect([repeated.status, repeated.body.code]).toEqual([404, "workspace_not_found"]);
  });

  test("every field of a contact is imported", async () => {
    const alice = await api.signUp();
    await importInto(alice, [FILLED_CONTACT], "none");
    await importInto(alice, [FILLED_CONTACT], "none");
    const { body } = await alice.get("/api/contacts");
    expect(body).toHaveLength(2);
    expect(body[0]).toMatchObject(FILLED_CONTACT);
  });

  test("the contacts of another workspace are not matched", async () => {
    const alice = await api.signUp();
    const { body: other } = await alice.post("/api/workspaces", { name: "Other" });
    await alice.post("/api/contacts", { firstName: "Ada", email: "ada@example.com", workspaceId: other.id });
    const { body } = await importInto(alice, [{ firstName: "Ada", email: "ada@example.com" }]);
    expect(body).toEqual({ created: 1, updated: 0, unchanged: 0 });
  });

  test("an import is rejected as a whole, with the row of each problem", async () => {
    const alice = await api.signUp();
    const { status, body } = await importInto(alice, [
      { firstName: "Ada" },
      { firstName: "", email: "nobody" },
    ]);
    expect([status, body.issues]).toEqual([
      400,
      [
        { path: "contacts.1.firstName", message: "First name is required" },
        { path: "contacts.1.email", message: "Invalid email" },
      ],
    ]);
    const twice = await importInto(alice, [
      { firstName: "Ada", email: "ada@example.com" },
      { firstName: "Ida", email: "ADA@example.com" },
    ]);
    expect([twice.status, twice.body.issues]).toEqual([
      400,
      [{ path: "contacts.1.email", message: "This email address is listed twice" }],
    ]);
    const many = Array.from({ length: 1001 }, (_, index) => ({ firstName: `Person ${index}` }));
    expect((await importInto(alice, many)).status).toBe(400);
    expect((await alice.get("/api/contacts")).body).toEqual([]);
    expect((await importInto(alice, many.slice(1))).body).toEqual({
      created: 1000,
      updated: 0,
      unchanged: 0,
    });
  });

  test("an account that has room for one contact imports neither of two", async () => {
    const alice = await api.signUp();
    const filler = "with recursive n(i) as (select 1 union all select i + 1 from n where i < 19999)";
    await api.execute(
      `insert into contacts (user_id, workspace_id, first_name, created_at, updated_at) ${filler} select ${alice.id}, ${alice.workspaceId}, 'Full', '', '' from n`,
    );
    const two = await importInto(alice, [{ firstName: "Ada" }, { firstName: "Ida" }]);
    expect([two.status, two.body.code]).toEqual([409, "account_full"]);
    const [{ count } = {}] = await api.select(
      `select count(*) as count from contacts where user_id = ${alice.id}`,
    );
    expect(count).toBe(19_999);
    expect((await importInto(alice, [{ firstName: "Ada" }])).status).toBe(201);
  });

  test("of two imports of one address at once, one creates the contact and the other changes it", async () => {
    const alice = await api.signUp();
    const responses = await Promise.all(
      ["Ada", "Augusta"].map((firstName) => importInto(alice, [{ firstName, email: "ada@example.com" }])),
    );
    const sum = (name: "created" | "updated") => responses.reduce((total, { body }) => total + body[name], 0);
    expect([sum("created"), sum("updated")]).toEqual([1, 1]);
    expect((await alice.get("/api/contacts")).body).toHaveLength(1);
  });

  test("a viewer exports contacts and imports none", async () => {
    const alice = await api.signUp();
    const viewer = await joinAs(api, alice, "viewer");
    const path = `/api/contacts/export.csv?workspaceId=${alice.workspaceId}`;
    expect((await viewer.get(path)).status).toBe(200);
    const contacts = [{ firstName: "Ada" }];
    const body = { contacts, match: "none", workspaceId: alice.workspaceId };
    expect((await viewer.post("/api/contacts/bulk", body)).status).toBe(403);
    expect((await (await api.signUp()).get(path)).status).toBe(404);
  });

  test("the export has a byte order mark and every field, safe in a spreadsheet", async () => {
    const alice = await api.signUp();
    await alice.post("/api/contacts", {
      firstName: "Ada",
      phone: "+1 555",
      company: 'A; "B"',
      notes: "one\ntwo",
    });
    await alice.post("/api/contacts", { firstName: "=1+1", lastName: "a\tb", email: "ida@example.com" });
    const csv = await alice.get("/api/contacts/export.csv");
    expect(csv.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(csv.headers.get("content-disposition")).toBe('attachment; filename="contacts.csv"');
    const bytes = await alice.bytes("/api/contacts/export.csv");
    expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    expect(csv.text.replace("\ufeff", "")).toBe(
      `${CONTACT_FIELDS.join(",")}\r\n` +
        `${lineOf({ firstName: "'=1+1", lastName: '"a\tb"', email: "ida@example.com" })}\r\n` +
        `${lineOf({ firstName: "Ada", phone: "'+1 555", company: '"A; ""B"""', notes: '"one\ntwo"' })}\r\n`,
    );
  });

  test("an export has the contacts of one workspace, or of all of the caller's, and of nobody else's", async () => {
    const alice = await api.signUp();
    const bob = await api.signUp();
    const second = (await alice.post("/api/workspaces", { name: "Second" })).body.id;
    await alice.post("/api/contacts", { firstName: "Ada" });
    await alice.post("/api/contacts", { firstName: "Ida", workspaceId: second });
    await bob.post("/api/contacts", { firstName: "Bea" });
    const namesIn = async (query: string) => {
      const { text } = await alice.get(`/api/contacts/export.csv${query}`);
      const [, ...lines] = text.trim().split("\r\n");
      return lines.map((line) => line.split(",", 1)[0]).sort();
    };
    expect(await namesIn("")).toEqual(["Ada", "Ida"]);
    expect(await namesIn(`?workspaceId=${alice.workspaceId}`)).toEqual(["Ada"]);
    expect(await namesIn(`?workspaceId=${second}`)).toEqual(["Ida"]);
  });

  test("an export has the contacts of all pages", async () => {
    const alice = await api.signUp();
    for (const part of [0, 1000, 2000])
      await importInto(
        alice,
        Array.from({ length: 1000 }, (_, index) => ({ firstName: `Person ${part + index}` })),
      );
    const { text } = await alice.get("/api/contacts/export.csv");
    expect(text.trim().split("\r\n")).toHaveLength(3001);
  });

  test("tags group contacts: each once, listed with their numbers, and a list or an export shows one group", async () => {
    const alice = await api.signUp();
    const add = (firstName: string, tags?: string[]) => alice.post("/api/contacts", { firstName, tags });
    const { body: ada } = await add("Ada", [" VIP ", "vip", "Tax  2025", ""]);
    expect(ada.tags).toEqual(["VIP", "Tax 2025"]);
    await add("Ida", ["VIP 2"]);
    const joan = await add("Joan", ["VIP"]);
    expect((await add("None")).body.tags).toEqual([]);
    expect((await alice.get("/api/contacts/tags")).body).toEqual([
      { name: "Tax 2025", contacts: 1 },
      { name: "VIP", contacts: 2 },
      { name: "VIP 2", contacts: 1 },
    ]);
    const found = await alice.get("/api/contacts?tag=VIP&sort=name&counts=1");
    expect(found.body.map(({ firstName }: { firstName: string }) => firstName)).toEqual(["Ada", "Joan"]);
    expect(found.headers.get("contact-counts")).toBe("all=2");
    const linesOf = async (query: string) =>
      (await alice.get(`/api/contacts/export.csv?${query}`)).text.trim().split("\r\n");
    expect(await linesOf("tag=Tax%202025")).toEqual([
      CONTACT_FIELDS.join(","),
      lineOf({ firstName: "Ada", tags: '"VIP, Tax 2025"' }),
    ]);
    expect((await linesOf(`ids=${joan.body.id},999999`)).slice(1)).toEqual([
      lineOf({ firstName: "Joan", tags: "VIP" }),
    ]);
    expect((await alice.patch(`/api/contacts/${ada.id}`, { tags: null })).body.tags).toEqual([]);
    expect((await alice.get("/api/contacts/tags")).body.map(({ name }: { name: string }) => name)).toEqual([
      "VIP",
      "VIP 2",
    ]);
  });

  test("a contact has at most 20 tags of 50 characters, and none with what separates them", async () => {
    const alice = await api.signUp();
    const many = Array.from({ length: 21 }, (_, index) => `Tag ${index}`);
    const post = async (tags: unknown) =>
      (await alice.post("/api/contacts", { firstName: "Ada", tags })).status;
    expect(await post(many.slice(1))).toBe(201);
    for (const tags of [many, ["x".repeat(51)], ["a,b"], ["a;b"], "VIP", [1], { 0: "a" }])
      expect(await post(tags)).toBe(400);
  });

  test("an import sets tags where the list has them, and leaves them where it has none", async () => {
    const alice = await api.signUp();
    const ada = { firstName: "Ada", email: "ada@example.com" };
    await importInto(alice, [{ ...ada, tags: ["VIP"] }, { firstName: "Ida" }]);
    expect((await importInto(alice, [ada])).body).toEqual({ created: 0, updated: 0, unchanged: 1 });
    expect((await importInto(alice, [{ ...ada, tags: ["VIP"] }])).body.unchanged).toBe(1);
    const tagsOf = async () =>
      (await alice.get("/api/contacts")).body.map(({ tags }: { tags: string[] }) => tags);
    expect(await tagsOf()).toEqual([[], ["VIP"]]);
    expect((await importInto(alice, [{ ...ada, tags: null }])).body.updated).toBe(1);
    expect(await tagsOf()).toEqual([[], []]);
  });

  test("selected contacts are tagged at once, except those that would have too many, and those of nobody else", async () => {
    const [alice, bob] = [await api.signUp(), await api.signUp()];
    const add = async (client: SignedUp, tags: string[]) =>
      (await client.post("/api/contacts", { firstName: "Ada", tags })).body;
    const full = Array.from({ length: 20 }, (_, index) => `Tag ${index}`);
    const [one, two, three, other] = [
      await add(alice, ["old", "kept"]),
      await add(alice, []),
      await add(alice, full),
      await add(bob, []),
    ];
    const ids = [one, two, three, other].map(({ id }) => id);
    const change = (body: object) => alice.post("/api/contacts/tags", { ids, ...body });
    const changed = await change({ add: ["VIP", "KEPT"], remove: ["old"] });
    expect([changed.status, changed.body]).toEqual([200, { changed: 2, full: 1 }]);
    const tagsOf = async (client: SignedUp, id: number) =>
      (await client.get(`/api/contacts/${id}`)).body.tags;
    expect(await tagsOf(alice, one.id)).toEqual(["kept", "VIP"]);
    expect(await tagsOf(alice, two.id)).toEqual(["VIP", "KEPT"]);
    expect(await tagsOf(alice, three.id)).toEqual(full);
    expect(await tagsOf(bob, other.id)).toEqual([]);
    expect((await change({ add: ["VIP"] })).body).toEqual({ changed: 0, full: 1 });
    expect((await change({ remove: ["Tag 3"] })).body).toEqual({ changed: 1, full: 0 });
    for (const body of [{ ids: [] }, { add: ["a,b"] }, { ids: [0] }, { ids: Array(1001).fill(1) }])
      expect((await change(body)).status).toBe(400);
    const viewer = await joinAs(api, alice, "viewer");
    const asViewer = { ids, add: ["No"], workspaceId: alice.workspaceId };
    expect((await viewer.post("/api/contacts/tags", asViewer)).status).toBe(403);
  });

  test("selected contacts are deleted at once, with nobody else's left alone", async () => {
    const [alice, bob] = [await api.signUp(), await api.signUp()];
    const add = async (client: SignedUp) =>
      (await client.post("/api/contacts", { firstName: "Ada" })).body.id;
    const [one, two, kept, other] = [await add(alice), await add(alice), await add(alice), await add(bob)];
    const viewer = await joinAs(api, alice, "viewer");
    expect((await viewer.post("/api/contacts/delete", { ids: [one] })).body).toEqual({ deleted: 0 });
    const { body } = await alice.post("/api/contacts/delete", { ids: [one, two, other, one] });
    expect(body).toEqual({ deleted: 2 });
    expect((await alice.get("/api/contacts")).body.map(({ id }: { id: number }) => id)).toEqual([kept]);
    expect((await bob.get("/api/contacts")).body).toHaveLength(1);
  });

  test("a contact says how many requests wait for it, and how many of them are overdue", async () => {
    const alice = await api.signUp();
    const address = ENVELOPE.recipientEmail;
    const { body: contact } = await alice.post("/api/contacts", { firstName: "Ada", email: address });
    const ask = (more: object = {}) =>
      alice.post("/api/requests", { ...ENVELOPE, contactId: contact.id, ...more });
    await ask({ contactId: null });
    await ask({ dueDate: "2026-03-20" });
    await ask({ expirationDate: "2026-03-20" });
    await ask({ isDraft: true });
    const counts = async () => {
      const { openRequests, overdueRequests } = (await alice.get(`/api/contacts/${contact.id}`)).body;
      return [openRequests, overdueRequests];
    };
    expect(await counts()).toEqual([3, 0]);
    await api.setClock("2026-03-21T12:00:00.000Z");
    expect(await counts()).toEqual([2, 1]);
    expect((await alice.get("/api/contacts")).body[0]).toMatchObject({ openRequests: 2, overdueRequests: 1 });
  });
});
