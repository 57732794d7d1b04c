import { expect, test } from "bun:test";
import { DEMO_CONTACTS, DEMO_TEMPLATES } from "../../worker/cli/seed/demo-data";
import { describeApi } from "../support/api/client";
import { ENVELOPE, linkOf } from "../support/api/envelopes";
import {
  FILLED_CONTACT,
  FILLED_DOCUMENT,
  FILLED_ENVELOPE,
  FILLED_TEMPLATE,
  FILLED_WORKSPACE,
} from "../support/api/filled-fields";
import { readZip } from "../support/files/zip";

/** What an account enters, field by field, with the fields of the contract: a new one is tested without a change here. */
const ENTITIES = {
  contacts: {
    path: "/api/contacts",
    exported: "contacts",
    method: "patch",
    first: { firstName: "A" },
    filled: FILLED_CONTACT,
  },
  templates: {
    path: "/api/templates",
    exported: "templates",
    method: "put",
    first: { name: "A", fields: [{ name: "A" }] },
    filled: FILLED_TEMPLATE,
  },
  workspaces: {
    path: "/api/workspaces",
    exported: "workspaces",
    method: "patch",
    // The name and the description of a workspace are set once.
    first: { name: FILLED_WORKSPACE.name, description: FILLED_WORKSPACE.description },
    filled: FILLED_WORKSPACE,
  },
  requests: {
    path: "/api/requests",
    exported: "envelopes",
    method: "put",
    first: { isDraft: true },
    filled: FILLED_ENVELOPE,
  },
} as const;

type Listed = { documents?: Record<string, unknown>[] };
/** A list says of a question only whether it was answered. */
const withoutAnswers = <Body extends Listed>({ documents, ...body }: Body) => ({
  ...body,
  ...(documents && { documents: documents.map(({ answer: _, earlier: _earlier, ...document }) => document) }),
});

describeApi("fields of an entity", (api) => {
  test.each(Object.entries(ENTITIES))(
    "%s: each is stored, returned, listed and exported",
    async (_name, { path, method, exported, first, filled }) => {
      const owner = await api.signUp();
      const { body } = await owner.post(path, first);
      const changed = await owner[method](`${path}/${body.id}`, filled);
      expect(changed.status).toBe(200);
      expect(changed.body).toMatchObject(filled);
      const list = await owner.get(path);
      expect(list.body.find(({ id }: { id: number }) => id === body.id)).toEqual(
        withoutAnswers(changed.body),
      );
      if (path !== "/api/workspaces")
        expect((await owner.get(`${path}/${body.id}`)).body).toEqual(changed.body);
      const files = readZip(await owner.bytes("/api/user/export"));
      const data = JSON.parse(new TextDecoder().decode(files.get("data.json")));
      const { recipientEmail: _address, ...stored } = filled as Record<string, unknown>;
      expect(data[exported].find(({ id }: { id: number }) => id === body.id)).toMatchObject(stored);
    },
  );

  test("those of a requested document are returned by the envelope, the recipient's link and a template", async () => {
    const owner = await api.signUp();
    const sent = await owner.post("/api/requests", { ...ENVELOPE, documents: [FILLED_DOCUMENT] });
    const link = await api.anonymous().get(linkOf(sent.body));
    const template = await owner.post("/api/templates", { name: "Identity", fields: [FILLED_DOCUMENT] });
    expect(sent.body.documents[0]).toMatchObject(FILLED_DOCUMENT);
    expect(link.body.documents[0]).toMatchObject(FILLED_DOCUMENT);
    expect(template.body.fields[0]).toMatchObject(FILLED_DOCUMENT);
  });

  test("those of a requested document are changed with the envelope", async () => {
    const owner = await api.signUp();
    const { body } = await owner.post("/api/requests", ENVELOPE);
    const documents = [{ ...body.documents[0], ...FILLED_DOCUMENT, name: body.documents[0].name }];
    const changed = await owner.put(`/api/requests/${body.id}`, { ...body, documents });
    expect(changed.body.documents).toEqual(documents);
  });
});

test("the demo account has an example of each field of a contact and a template", () => {
  const filledIn = (rows: readonly object[]) =>
    rows.flatMap((row) => Object.entries(row).flatMap(([field, value]) => (value === null ? [] : [field])));
  const contacts = [...filledIn(DEMO_CONTACTS), "email"];
  expect(Object.keys(FILLED_CONTACT).filter((field) => !contacts.includes(field))).toEqual([]);
  const templates = filledIn(DEMO_TEMPLATES);
  expect(Object.keys(FILLED_TEMPLATE).filter((field) => !templates.includes(field))).toEqual([]);
});
