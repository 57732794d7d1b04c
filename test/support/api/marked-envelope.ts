import { expect } from "bun:test";
import { pdfFile } from "../files/files";
import type { Api, Client, SignedUp } from "./client";
import { linkOf, sendEnvelope } from "./envelopes";
import { createTus } from "./tus";

/**
 * Sends an envelope whose every text contains the mark, has it submitted, returned and submitted again, and downloads a
 * file, so that all that is ever stored about an envelope is stored.
 */
export async function useMarkedEnvelope(
  api: Pick<Api, "anonymous">,
  owner: Pick<SignedUp, "post" | "send" | "get" | "put">,
  mark: string,
): Promise<{ id: number; submissionToken: string }> {
  const documents = [
    { name: `Contract ${mark}`, required: true, description: `Sign it, ${mark}` },
    { name: `Letter ${mark}`, required: false },
  ];
  const { body: template } = await owner.post("/api/templates", { name: "Kept", fields: [{ name: "Kept" }] });
  expect(template.id).toBeNumber();
  const input = {
    recipientName: `Rita ${mark}`,
    recipientEmail: `rita-${mark}@example.com`,
    recipientPhone: "+15551234567",
    notificationPreference: "both",
    subject: `Papers ${mark}`,
    message: `Please, ${mark}`,
    templateId: template.id,
    documents,
  };
  const headers = { "idempotency-key": crypto.randomUUID() };
  const created = await owner.send("POST", "/api/requests", input, headers);
  expect(created.status).toBe(201);
  const { id, submissionToken } = created.body;
  const [contract, letter] = created.body.documents.map((document: { id: number }) => document.id);
  expect(
    (await owner.put(`/api/requests/${id}`, { ...created.body, documents: created.body.documents })).status,
  ).toBe(200);
  expect(
    (await owner.send("POST", `/api/requests/${id}/remind`, undefined, { "idempotency-key": "remind" }))
      .status,
  ).toBe(201);
  const link = linkOf({ submissionToken });
  expect((await api.anonymous().post(`${link}/opened`)).status).toBe(204);
  const tus = createTus(api, { submissionToken });
  await tus.upload(contract, pdfFile(`${mark}.pdf`, mark));
  const submitted = await tus.submit({
    note: `Not signed, ${mark}`,
    skipped: [{ documentId: letter, reason: `Burnt ${mark}` }],
  });
  expect(submitted.status).toBe(201);
  const review = `/api/requests/${id}/review`;
  const returned = { return: [{ documentId: contract, reason: `Blurry ${mark}` }] };
  expect((await owner.post(review, returned)).status).toBe(200);
  // Never submitted.
  await tus.upload(contract, pdfFile(`again-${mark}.pdf`, mark));
  const { body } = await owner.get(`/api/requests/${id}`);
  expect((await owner.get(`${body.submissions[0].url}?download`)).status).toBe(200);
  return { id, submissionToken };
}

/** The same in one call, without what follows. */
export const sendMarkedEnvelope = (owner: Pick<Client, "post">, mark: string) =>
  sendEnvelope(owner, { subject: `Papers ${mark}` });
