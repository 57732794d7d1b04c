import type { Api, ApiResponse, SignedUp } from "./client";
import { linkOf, sendEnvelope } from "./envelopes";

export const QUESTIONS = [
  { name: "Income from abroad?", kind: "yesNo", required: true },
  {
    name: "Statement of foreign income",
    required: true,
    showIf: { name: "income from abroad?", is: ["yes"] },
  },
  { name: "Children", kind: "number", decimals: 0, min: "0", max: "20" },
  { name: "IBAN", kind: "text", format: "iban", confidential: true },
  { name: "Pays for", kind: "choices", options: ["Rent", "Car", "School"] },
];
export const IBAN = "DE89370400440532013000";

export type Document = ApiResponse["body"] & { id: number; name: string };

/** The document of an envelope whose name begins like this. */
export const named = ({ documents }: ApiResponse["body"], name: string): Document =>
  documents.find((one: Document) => one.name.startsWith(name));

/** An envelope with questions, its recipient, and calls of the link by the beginnings of names. */
export async function ask(api: Api, changes: object = {}, sender?: SignedUp) {
  const owner = sender ?? (await api.signUp());
  const envelope = await sendEnvelope(owner, { documents: QUESTIONS, ...changes });
  const recipient = api.anonymous();
  const link = linkOf(envelope);
  const idOf = (name: string): number => named(envelope, name).id;
  const byId = (answers: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(answers).map(([name, value]) => [idOf(name), value]));
  return {
    owner,
    envelope,
    link,
    recipient,
    idOf,
    keep: (answers: Record<string, unknown>) => recipient.put(`${link}/answers`, { answers: byId(answers) }),
    submit: (answers: Record<string, unknown> = {}, more: object = {}) =>
      recipient.post(`${link}/submit`, { answers: byId(answers), ...more }),
    page: async () => (await recipient.get(link)).body,
    read: async () => (await owner.get(`/api/requests/${envelope.id}`)).body,
    /** Sends the envelope again with other documents. */
    change: (documents: object[], more: object = {}) =>
      owner.put(`/api/requests/${envelope.id}`, {
        recipientName: envelope.recipientName,
        recipientEmail: envelope.recipientEmail,
        subject: envelope.subject,
        documents,
        ...more,
      }),
    review: (decisions: object) => owner.post(`/api/requests/${envelope.id}/review`, decisions),
  };
}
