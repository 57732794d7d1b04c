import { expect, test } from "bun:test";
import { describeApi } from "../support/api";
import { FILLED_DOCUMENT } from "../support/document-entry";
import { ENVELOPE, linkOf } from "../support/envelopes";

describeApi("fields of a requested document", (api) => {
  test("are returned by the envelope, the recipient's link and a template", async () => {
    const owner = await api.signUp();
    const sent = await owner.post("/api/requests", { ...ENVELOPE, documents: [FILLED_DOCUMENT] });
    const link = await api.anonymous().get(linkOf(sent.body));
    const template = await owner.post("/api/templates", { name: "Identity", fields: [FILLED_DOCUMENT] });
    expect(sent.body.documents[0]).toMatchObject(FILLED_DOCUMENT);
    expect(link.body.documents[0]).toMatchObject(FILLED_DOCUMENT);
    expect(template.body.fields[0]).toMatchObject(FILLED_DOCUMENT);
  });

  test("are changed with the envelope", async () => {
    const owner = await api.signUp();
    const { body } = await owner.post("/api/requests", ENVELOPE);
    const documents = [{ ...body.documents[0], ...FILLED_DOCUMENT, name: body.documents[0].name }];
    const changed = await owner.put(`/api/requests/${body.id}`, { ...body, documents });
    expect(changed.body.documents).toEqual(documents);
  });
});
