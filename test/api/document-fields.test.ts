import { expect, test } from "bun:test";
import * as z from "zod";
import { documentEntry } from "../../worker/contract/documents";
import { describeApi } from "../support/api";
import { ENVELOPE, linkOf } from "../support/envelopes";

const { shape } = documentEntry(z.string());
/** A value other than its default for every field of a requested document; a new field needs one, too. */
const ENTRY: Record<keyof typeof shape, unknown> = {
  name: "Passport",
  description: "The page with the picture",
  required: true,
  allowedFileTypes: ["png"],
  multiple: true,
};

describeApi("fields of a requested document", (api) => {
  test("each have a value in this test", () => {
    expect(Object.keys(ENTRY)).toEqual(Object.keys(shape));
  });

  test("are returned by the envelope, the recipient's link and a template", async () => {
    const owner = await api.signUp();
    const sent = await owner.post("/api/requests", { ...ENVELOPE, documents: [ENTRY] });
    const link = await api.anonymous().get(linkOf(sent.body));
    const template = await owner.post("/api/templates", { name: "Identity", fields: [ENTRY] });
    expect(sent.body.documents[0]).toMatchObject(ENTRY);
    expect(link.body.documents[0]).toMatchObject(ENTRY);
    expect(template.body.fields[0]).toMatchObject(ENTRY);
  });
});
