import { asc, eq } from "drizzle-orm";
import type { Database } from "../client";
import { requestDocuments, requests, submissions, users } from "../schema";
import type { Notification } from "./notifications";

/** What a notification's text tells of: its envelope and the account it is sent for, in one round trip. */
export async function findNotificationContext(
  db: Database,
  notification: Pick<Notification, "requestId" | "userId">,
) {
  const requestId = notification.requestId ?? 0;
  const [[user], [request], documents, files] = await db.batch([
    db
      .select()
      .from(users)
      .where(eq(users.id, notification.userId ?? 0)),
    db.select().from(requests).where(eq(requests.id, requestId)),
    db
      .select()
      .from(requestDocuments)
      .where(eq(requestDocuments.requestId, requestId))
      .orderBy(asc(requestDocuments.position)),
    db
      .select({
        documentName: submissions.documentName,
        fileName: submissions.fileName,
        fileSize: submissions.fileSize,
      })
      .from(submissions)
      .where(eq(submissions.envelopeId, requestId))
      .orderBy(asc(submissions.id)),
  ]);
  return { user, request, documents, files };
}

export type NotificationContext = Awaited<ReturnType<typeof findNotificationContext>>;
