import { sql } from "drizzle-orm";
import { TITLE_PREFIX } from "../../worker/contract/product";
import { randomToken } from "../../worker/lib/tokens";
import type { Database } from "../client";
import { requestDocuments, requests } from "../schema";

const ROWS_PER_INSERT = 500;
const STATUSES = ["pending", "pending", "completed", "pending", "expired", "draft"] as const;
const DOCUMENTS = ["Passport", "Proof of address"];

/** Adds `count` envelopes of two documents each, spread over the last year: for measuring, not for reading. */
export async function seedLoad(
  db: Database,
  owner: { userId: number; workspaceId: number },
  count: number,
  now: Date,
): Promise<void> {
  const minutes = (365 * 24 * 60) / Math.max(count, 1);
  for (let made = 0; made < count; made += ROWS_PER_INSERT) {
    const size = Math.min(ROWS_PER_INSERT, count - made);
    const rows = Array.from({ length: size }, (_, place) => {
      const age = (count - made - place) * minutes * 60_000;
      return requestRow(owner, made + place, new Date(now.getTime() - age).toISOString());
    });
    const inserted = await db.insert(requests).values(rows).returning({ id: requests.id });
    await db.insert(requestDocuments).values(
      inserted.flatMap(({ id }) =>
        DOCUMENTS.map((name, position) => ({
          ...{ requestId: id, position, name, description: null, required: position === 0 },
          allowedFileTypes: ["pdf", "jpg"],
        })),
      ),
    );
  }
  await db.run(sql`pragma optimize`);
}

function requestRow(owner: { userId: number; workspaceId: number }, place: number, createdAt: string) {
  const status = STATUSES[place % STATUSES.length] ?? "pending";
  const recipientName = `Recipient ${place + 1}`;
  return {
    ...owner,
    ...{ status, recipientName, createdAt, updatedAt: createdAt, isDraft: status === "draft" },
    title: `${TITLE_PREFIX}${recipientName}`,
    description: "Please upload the requested documents.",
    customerEmail: `recipient${place + 1}@example.com`,
    submissionToken: randomToken(),
    subject: `Documents for file ${place + 1}`,
    sentAt: status === "draft" ? null : createdAt,
    completedAt: status === "completed" ? createdAt : null,
    expirationDate: status === "expired" ? createdAt.slice(0, 10) : null,
  };
}
