import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { type ApiResponse, createClient, describeApi } from "../support/api/client";
import { ENVELOPE, form, linkOf, sendEnvelope } from "../support/api/envelopes";
import { pdfFile } from "../support/files/files";
import { startBunRuntime } from "../support/runtime/bun-runtime";

type Document = { id: number; name: string };

const idsByName = (documents: Document[]) => Object.fromEntries(documents.map(({ id, name }) => [name, id]));

describeApi("the ids of documents", (api) => {
  test("a document keeps its id as long as it keeps its name, for requestor and recipient", async () => {
    const owner = await api.signUp();
    const before: ApiResponse["body"] = await sendEnvelope(owner, {
      documents: [{ name: "Contract" }, { name: "Card" }, { name: "Photo" }],
    });
    const ids = idsByName(before.documents);
    const changed = await owner.put(`/api/requests/${before.id}`, {
      ...ENVELOPE,
      documents: [{ name: "Photo", multiple: true }, { name: "Letter" }, { name: "contract" }],
    });
    const { body } = await api.anonymous().get(linkOf(before));
    const names = (documents: Document[]) => documents.map(({ id, name }) => ({ id, name }));
    expect(names(body.documents)).toEqual(names(changed.body.documents));
    const after = idsByName(body.documents);
    expect([after.Photo, after.contract]).toEqual([ids.Photo, ids.Contract]);
    expect(Object.values(ids)).not.toContain(after.Letter);
    expect(body.documents[0]).toMatchObject({ multiple: true, state: "open", files: [] });
  });

  test("a document keeps its id if the accents of its name are written in another Unicode form", async () => {
    const owner = await api.signUp();
    const envelope = await sendEnvelope(owner, { documents: [{ name: "Re\u0301sume\u0301" }] });
    const documents = [{ name: "R\u00e9sum\u00e9" }];
    const { body } = await owner.put(`/api/requests/${envelope.id}`, { ...ENVELOPE, documents });
    expect(body.documents[0].id).toBe(envelope.documents[0].id);
  });

  test("of two documents of an older envelope whose names are equal by now, the one without a file can be removed", async () => {
    const [owner, documents] = [await api.signUp(), [{ name: "Other" }, { name: "R\u00e9sum\u00e9" }]];
    const envelope = await sendEnvelope(owner, { documents });
    const [other, resume] = envelope.documents;
    await api.execute(`update envelope_documents set name = 'Re\u0301sume\u0301' where id = ${other.id}`);
    const sent = form({ "R\u00e9sum\u00e9": pdfFile() });
    expect((await api.anonymous().post(linkOf(envelope), sent)).status).toBe(201);
    const back = [{ documentId: resume.id, reason: "Blurry" }];
    expect((await owner.post(`/api/requests/${envelope.id}/review`, { return: back })).status).toBe(200);
    const change = { ...ENVELOPE, documents: [documents[1]] };
    const { status, body } = await owner.put(`/api/requests/${envelope.id}`, change);
    expect([status, body.documents?.map(({ id }: { id: number }) => id)]).toEqual([200, [resume.id]]);
  });

  test("the ids sent with documents have no effect", async () => {
    const owner = await api.signUp();
    const envelope = await sendEnvelope(owner);
    const [{ id }] = envelope.documents;
    const documents = [{ id: id + 1000, name: "Contract", state: "accepted", reason: "No", skipped: true }];
    const { body } = await owner.put(`/api/requests/${envelope.id}`, { ...ENVELOPE, documents });
    expect(body.documents).toEqual(envelope.documents);
  });
});

test("an old template without the setting allows one file per document", async () => {
  const runtime = await startBunRuntime();
  try {
    const owner = createClient(runtime);
    await owner.post("/api/register", { email: "ada@example.com", password: "long enough" });
    await owner.post("/api/templates", { name: "Taxes", fields: [{ name: "Payslip", multiple: true }] });
    await runtime.deps.db.run(sql`update templates set fields = json_remove(fields, '$[0].multiple')`);
    const [template] = (await owner.get("/api/templates")).body;
    expect(template.fields).toMatchObject([{ name: "Payslip", multiple: false }]);
  } finally {
    await runtime.stop();
  }
});
