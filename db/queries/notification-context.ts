import { asc, eq } from "drizzle-orm";
import type { Database } from "../client";
import { requestDocuments, requests, submissions, users } from "../schema";
import type { Notification } from "./notifications";

/** What a notification's text tells of: its envelope and the account it is sent for. */
export async function findNotificationContext(db: Database, { requestId, userId }: Notification) {
  const request = requestId
    ? await db.query.requests.findFirst({
        where: eq(requests.id, requestId),
        with: {
          documents: { orderBy: asc(requestDocuments.position) },
          submissions: { orderBy: asc(submissions.id) },
        },
      })
    : undefined;
  const user = userId ? await db.query.users.findFirst({ where: eq(users.id, userId) }) : undefined;
  return { request, user };
}
