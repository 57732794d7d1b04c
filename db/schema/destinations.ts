import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { DestinationKind } from "../../worker/contract/destination-kinds";
import type {
  DELIVERY_STATES,
  DELIVERY_TIMES,
  DestinationSettings,
  DestinationState,
  FileDeliveryFailure,
} from "../../worker/contract/destinations";
import { flag, id, indexedText, partOf, timestamp } from "./columns";
import { envelopes, submissions } from "./envelopes";
import { workspaces } from "./workspaces";

/** Places outside to which the submitted files of a workspace are copied. */
export const destinations = sqliteTable(
  "destinations",
  {
    id: id(),
    workspaceId: partOf(() => workspaces.id),
    kind: text().$type<DestinationKind>().notNull(),
    name: text().notNull(),
    /** Whose access it is, as the other side names it. */
    account: text(),
    /** Null until a folder of a cloud destination is chosen. `placedBy` is who has changed them last, if not `connectedBy`. */
    settings: text({ mode: "json" }).$type<DestinationSettings>(),
    /** JSON, sealed. Null where none are needed. */
    credentials: text(),
    deliveredWhen: text().$type<(typeof DELIVERY_TIMES)[number]>().notNull(),
    folderRule: text().notNull(),
    includeAnswers: flag().notNull(),
    state: text().$type<DestinationState>().notNull().default("active"),
    /** What the other side said when it became full or needed to be connected again. */
    stateReason: text(),
    /** When a destination that is full or must be connected again is tried next. */
    retryAt: timestamp(),
    lastDeliveredAt: timestamp(),
    /** Whose credentials it has. Not a foreign key: it goes on without them. */
    connectedBy: integer(),
    createdAt: timestamp().notNull(),
    updatedAt: timestamp().notNull(),
  },
  (t) => [index("destinations_workspace").on(t.workspaceId)],
);

/** The ids of folders at destinations that have ids, by the path under which they were made. */
export const destinationFolders = sqliteTable(
  "destination_folders",
  {
    destinationId: partOf(() => destinations.id),
    path: text().notNull(),
    folderId: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.destinationId, t.path] })],
);

/** Each file for each destination: what is to be delivered, and what was. */
export const fileDeliveries = sqliteTable(
  "file_deliveries",
  {
    id: id(),
    destinationId: partOf(() => destinations.id),
    envelopeId: partOf(() => envelopes.id),
    /** The submitted file; null for the manifest and the answers of a submission. */
    submissionId: integer().references(() => submissions.id, { onDelete: "cascade" }),
    /** `manifest.csv` or `answers.html`; null for a submitted file. */
    page: text().$type<"manifest.csv" | "answers.html">(),
    /** When the recipient submitted it. */
    submittedAt: timestamp().notNull(),
    state: indexedText().$type<(typeof DELIVERY_STATES)[number]>().notNull().default("waiting"),
    /** Since when it has this state. */
    stateAt: timestamp().notNull(),
    attempts: integer().notNull().default(0),
    nextAttemptAt: timestamp(),
    claimedBy: text(),
    claimedUntil: timestamp(),
    /** When its first attempt began. */
    startedAt: timestamp(),
    /** What continues an interrupted attempt, sealed. */
    session: text(),
    failure: text().$type<FileDeliveryFailure>(),
    /** What the other side said about the last failure. */
    failureText: text(),
    /** Where it was delivered, relative to the destination. */
    path: text(),
    url: text(),
    createdAt: timestamp().notNull(),
    deliveredAt: timestamp(),
  },
  (t) => [
    uniqueIndex("file_deliveries_file").on(t.destinationId, t.submissionId),
    uniqueIndex("file_deliveries_page")
      .on(t.destinationId, t.envelopeId, t.submittedAt, t.page)
      .where(sql`page is not null`),
    index("file_deliveries_waiting").on(t.destinationId).where(sql`state = 'waiting'`),
    index("file_deliveries_log").on(t.destinationId, t.state, t.id),
    index("file_deliveries_envelope").on(t.envelopeId),
    index("file_deliveries_submission").on(t.submissionId).where(sql`submission_id is not null`),
  ],
);
