import { expect, test } from "bun:test";
import { describeApi } from "../support/api/client";
import { joinAs } from "../support/api/team";

describeApi("the envelopes of a contact", (api) => {
  test("are those linked to it and those to its address, newest first and page by page", async () => {
    const alice = await api.signUp();
    const contact = async (input: object) => (await alice.post("/api/contacts", input)).body.id as number;
    const ada = await contact({ firstName: "Ada", email: "Ada@Example.com" });
    const grace = await contact({ firstName: "Grace", phone: "+15551234567" });
    const envelope = async (input: object) =>
      (await alice.post("/api/requests", { isDraft: true, ...input })).body.id as number;
    const linked = await envelope({ contactId: ada, recipientEmail: "other@example.com" });
    const toAddress = await envelope({ recipientEmail: "ADA@example.com" });
    const both = await envelope({ contactId: ada, recipientEmail: "ada@example.com" });
    const toGrace = await envelope({ contactId: grace });
    await envelope({});
    const list = async (query: string) => {
      const { body, headers } = await alice.get(`/api/requests?${query}`);
      return [body.map(({ id }: { id: number }) => id), headers.get("link") !== null];
    };
    expect(await list(`contactId=${ada}`)).toEqual([[both, toAddress, linked], false]);
    expect(await list(`contactId=${ada}&limit=2`)).toEqual([[both, toAddress], true]);
    expect(await list(`contactId=${ada}&limit=2&cursor=${toAddress}`)).toEqual([[linked], false]);
    expect(await list(`contactId=${ada}&counts=1`)).toEqual([[both, toAddress, linked], false]);
    expect(await list(`contactId=${grace}`)).toEqual([[toGrace], false]);
    expect(await list(`contactId=${await contact({ firstName: "New" })}`)).toEqual([[], false]);
  });

  test("are those in the contact's workspace", async () => {
    const alice = await api.signUp();
    const { body: second } = await alice.post("/api/workspaces", { name: "Second" });
    const { body: ada } = await alice.post("/api/contacts", { firstName: "Ada", email: "ada@example.com" });
    const { body: elsewhere } = await alice.post("/api/contacts", {
      ...{ firstName: "Ada", email: "ada@example.com", workspaceId: second.id },
    });
    const draft = { isDraft: true, recipientEmail: "ada@example.com" };
    const { body: first } = await alice.post("/api/requests", draft);
    const { body: other } = await alice.post("/api/requests", { ...draft, workspaceId: second.id });
    const ids = async (query: string) =>
      (await alice.get(`/api/requests?${query}`)).body.map(({ id }: { id: number }) => id);
    expect(await ids(`contactId=${ada.id}`)).toEqual([first.id]);
    expect(await ids(`contactId=${elsewhere.id}`)).toEqual([other.id]);
    expect(await ids(`contactId=${ada.id}&workspaceId=${alice.workspaceId}`)).toEqual([first.id]);
    expect(await ids(`contactId=${ada.id}&workspaceId=${second.id}`)).toEqual([]);
  });

  test("are found by no one but the members of the workspace", async () => {
    const alice = await api.signUp();
    const stranger = await api.signUp();
    const { body: ada } = await alice.post("/api/contacts", { firstName: "Ada", email: "ada@example.com" });
    await alice.post("/api/requests", { isDraft: true, recipientEmail: "ada@example.com" });
    const viewer = await joinAs(api, alice, "viewer");
    const read = async (person: typeof alice, id: number) => {
      const { status, body } = await person.get(`/api/requests?contactId=${id}`);
      return [status, body.code ?? body.length];
    };
    expect(await read(stranger, ada.id)).toEqual([404, "contact_not_found"]);
    expect(await read(alice, 999_999)).toEqual([404, "contact_not_found"]);
    expect(await read(viewer, ada.id)).toEqual([200, 1]);
  });

  test.each(["0", "x", "1.5"])("contactId=%s is rejected", async (contactId) => {
    const alice = await api.signUp();
    const { status, body } = await alice.get(`/api/requests?contactId=${contactId}`);
    expect([status, body.code, body.issues[0].path]).toEqual([400, "validation", "contactId"]);
  });
});
