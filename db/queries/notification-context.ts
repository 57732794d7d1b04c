import { asc, eq } from "drizzle-orm";
import type { Database } from "../client";
import { envelopeDocuments, envelopes, submissions, users } from "../schema";
import type { Notification } from "./notifications";
import { listAnnouncedDeletions } from "./retention";

/** The number of envelopes that one notice lists; the notice says if there are more. */
export const ANNOUNCED = 100;

/** The envelope and the account that a notification's text needs, in one round trip. */
export async function findNotificationContext(
  db: Database,
  notification: Pick<Notification, "envelopeId" | "userId" | "payload">,
) {
  const envelopeId = notification.envelopeId ?? 0;
  const { workspaceId, noticedAt } = notification.payload;
  const [[user], [envelope], documents, files, announced] = await db.batch([
    db
      .select()
      .from(users)
      .where(eq(users.id, notification.userId ?? 0)),
    db.select().from(envelopes).where(eq(envelopes.id, envelopeId)),
    db
      .select()
      .from(envelopeDocuments)
      .where(eq(envelopeDocuments.envelopeId, envelopeId))
      .orderBy(asc(envelopeDocuments.position)),
    db
      .select({
        documentName: submissions.documentName,
        fileName: submissions.fileName,
        fileSize: submissions.fileSize,
        sha256: submissions.sha256,
        createdAt: submissions.createdAt,
        requestDocumentId: submissions.requestDocumentId,
        superseded: submissions.superseded,
      })
      .from(submissions)
      .where(eq(submissions.envelopeId, envelopeId))
      .orderBy(asc(submissions.id)),
    listAnnouncedDeletions(db, notification.userId ?? 0, {
      workspaceId: Number(workspaceId ?? 0),
      noticedAt: String(noticedAt ?? ""),
      limit: ANNOUNCED,
    }),
  ]);
  return { user, envelope, documents, files, announced };
}

export type NotificationContext = Awaited<ReturnType<typeof findNotificationContext>>;
