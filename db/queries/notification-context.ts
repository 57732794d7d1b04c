import { and, asc, desc, eq, getTableColumns, isNotNull, isNull, notInArray, sql } from "drizzle-orm";
import { isForAccount, NOTIFICATION_KINDS } from "../../worker/contract/notifications";
import type { Answer } from "../../worker/contract/questions";
import type { Database } from "../client";
import {
  answers,
  envelopeDocuments,
  envelopeEvents,
  envelopes,
  envelopeWatchers,
  notifications,
  submissions,
  users,
  workspaceMembers,
  workspaces,
} from "../schema";
import { selectBrand } from "./brands";
import { listAnnouncedDeletions } from "./deletion-notices";
import { findSubmitted } from "./digests";
import { isNamed } from "./envelopes";
import { envelopeColumns } from "./list-columns";
import { hasEnabledOwner, listMemberships } from "./members";
import type { Notification } from "./notifications";
import { bind, equals, pick, prepared, valuesOf } from "./query-helpers";
import { listUndelivered } from "./undelivered";
import { selectUnsubscribeLink } from "./unsubscribe-links";

/** The number of envelopes that one notice lists; the notice says if there are more. */
export const LISTED_DELETIONS = 100;
/** The number of undelivered messages that one mail lists. */
const UNDELIVERED = 20;
/** The number of submissions that one digest lists. */
const SUBMITTED = 100;

const userQuery = prepared((db) =>
  db
    .select()
    .from(users)
    .where(eq(users.id, sql.placeholder("userId")))
    .prepare(),
);

const envelopeQuery = prepared((db) =>
  db
    .select({
      ...envelopeColumns,
      /** When the recipient submitted last before the notification was queued. */
      submittedAt: sql<
        string | null
      >`(select max(event.at) from ${envelopeEvents} as event where event.envelope_id = ${envelopes.id} and event.kind = 'submitted' and event.at <= ${sql.placeholder("createdAt")})`,
      hasEnabledOwner: sql`${hasEnabledOwner(envelopes.workspaceId)}`.mapWith(Boolean),
    })
    .from(envelopes)
    .innerJoin(workspaces, eq(workspaces.id, envelopes.workspaceId))
    .where(and(eq(envelopes.id, sql.placeholder("envelopeId")), isNull(workspaces.deletedAt)))
    .prepare(),
);

const brandQuery = prepared((db) => selectBrand(db, sql.placeholder("envelopeId")).prepare());

const documentsQuery = prepared((db) =>
  db
    .select()
    .from(envelopeDocuments)
    .where(eq(envelopeDocuments.envelopeId, sql.placeholder("envelopeId")))
    .orderBy(asc(envelopeDocuments.position))
    .prepare(),
);

const filesQuery = prepared((db) =>
  db
    .select({
      ...pick(submissions, "documentName", "fileName", "fileSize", "sha256", "createdAt"),
      requestDocumentId: submissions.envelopeDocumentId,
      superseded: submissions.superseded,
    })
    .from(submissions)
    .where(eq(submissions.envelopeId, sql.placeholder("envelopeId")))
    .orderBy(asc(submissions.id))
    .prepare(),
);

const answersQuery = prepared((db) =>
  db
    .select({
      ...pick(answers, "submittedAt", "superseded", "sealed"),
      // Of the others, which may be megabytes, a mail says only how many they are.
      value:
        sql<Answer | null>`case when not ${answers.superseded} and ${isNamed} then ${answers.value} end`.mapWith(
          answers.value,
        ),
      requestDocumentId: answers.envelopeDocumentId,
    })
    .from(answers)
    .where(and(eq(answers.envelopeId, sql.placeholder("envelopeId")), isNotNull(answers.submittedAt)))
    .prepare(),
);

/** The newest receipt, whose language is the one in which the recipient read the page. */
const receiptQuery = prepared((db) =>
  db
    .select({ recipient: notifications.recipient, payload: notifications.payload })
    .from(notifications)
    .where(equals(notifications, { envelopeId: sql.placeholder("envelopeId"), kind: "receipt" }))
    .orderBy(desc(notifications.id))
    .limit(1)
    .prepare(),
);

const linkQuery = prepared((db) =>
  selectUnsubscribeLink(db, sql.placeholder("userId"), sql.placeholder("recipientHash")).prepare(),
);

/**
 * The envelope and the account that a notification's text needs, in one round trip, or two if it lists what it announces.
 * @param recipientHash finds the link by which the recipient stops mails
 */
export async function findNotificationContext(
  db: Database,
  notification: Pick<Notification, "kind" | "envelopeId" | "userId" | "payload" | "createdAt">,
  { recipientHash = "", now }: { recipientHash?: string; now: string },
) {
  const { kind, payload, createdAt } = notification;
  const envelopeId = notification.envelopeId ?? 0;
  const userId = notification.userId ?? 0;
  const [[user], [envelope], [brand], documents, files, answers, [unsubscribeLink], [receipt]] =
    await db.batch([
      bind(userQuery(db), { userId }),
      bind(envelopeQuery(db), { envelopeId, createdAt }),
      bind(brandQuery(db), { envelopeId }),
      bind(documentsQuery(db), { envelopeId }),
      bind(filesQuery(db), { envelopeId }),
      bind(answersQuery(db), { envelopeId }),
      bind(linkQuery(db), { userId, recipientHash }),
      bind(receiptQuery(db), { envelopeId }),
    ]);
  const { lists } = NOTIFICATION_KINDS[kind];
  const { workspaceId = 0, since = now, until = now } = payload;
  const dueForDeletion =
    lists === "deletions"
      ? await listAnnouncedDeletions(
          db,
          { userId, role: "owner" },
          { workspaceId, createdAt, now, limit: LISTED_DELETIONS },
        )
      : [];
  const undelivered =
    lists === "undelivered" ? await listUndelivered(db, userId, { since, until, limit: UNDELIVERED }) : [];
  const { envelopeIds = [] } = payload;
  const submitted =
    lists === "submissions"
      ? await findSubmitted(db, { userId, role: "viewer" }, { ids: envelopeIds, limit: SUBMITTED })
      : { first: [], count: 0, toReview: 0 };
  const isOutside =
    payload.workspaceId != null &&
    isForAccount(kind) &&
    (await listMemberships(db, { userId, role: "owner", workspaceId })).length === 0;
  const inside = lists === "news" ? await listMemberships(db, { userId, role: "viewer" }) : [];
  const news = (payload.news ?? []).filter((line) => !line.workspaceId || inside.includes(line.workspaceId));
  const found = { dueForDeletion, undelivered, submitted, isOutside, news };
  return { user, envelope, brand, documents, files, answers, ...found, unsubscribeLink, receipt };
}

/**
 * The owner of an envelope's workspace to whom its notices go while their addressee is disabled, undefined if there is
 * none. `besideWatchers` leaves out those who get the notice because they watch the envelope.
 */
export async function findEnabledOwner(
  db: Database,
  { workspaceId, id }: { workspaceId: number; id: number },
  { besideWatchers }: { besideWatchers: boolean },
) {
  const watching = valuesOf(envelopeWatchers.userId, eq(envelopeWatchers.envelopeId, id));
  return db
    .select(getTableColumns(users))
    .from(users)
    .innerJoin(workspaceMembers, eq(workspaceMembers.userId, users.id))
    .where(
      and(
        equals(workspaceMembers, { workspaceId, role: "owner" }),
        isNull(users.disabledAt),
        besideWatchers ? notInArray(users.id, watching) : undefined,
      ),
    )
    .orderBy(asc(users.id))
    .limit(1)
    .get();
}

export type NotificationContext = Awaited<ReturnType<typeof findNotificationContext>>;
