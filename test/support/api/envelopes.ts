import { expect } from "bun:test";
import type { ApiResponse, SignedUp } from "./client";

/** The minimum of a sent envelope. */
export const ENVELOPE = {
  recipientName: "Rita Recipient",
  recipientEmail: "rita@example.com",
  subject: "Papers",
  documents: [{ name: "Contract" }],
};

/** Sends a minimal envelope with these changes, and returns the server's response. */
export async function sendEnvelope(
  owner: Pick<SignedUp, "post">,
  changes: object = {},
): Promise<ApiResponse["body"]> {
  const { status, body } = await owner.post("/api/requests", { ...ENVELOPE, ...changes });
  expect(status).toBe(201);
  return body;
}

/** An envelope without what changes when its messages are sent in the background. */
export const withoutDelivery = ({ delivery: _, ...envelope }: ApiResponse["body"]) => envelope;

/** The path at which the recipient reads and submits. */
export const linkOf = (envelope: { submissionToken: string }) =>
  `/api/submissions/${envelope.submissionToken}`;

/** A submission as a browser sends it. */
export function form(files: Record<string, File>): FormData {
  const data = new FormData();
  for (const [name, file] of Object.entries(files)) data.append(name, file);
  return data;
}

/** Creates this many drafts. */
export async function addDrafts(owner: Pick<SignedUp, "post">, count: number): Promise<void> {
  for (let draft = 0; draft < count; draft += 1) await owner.post("/api/requests", { isDraft: true });
}
