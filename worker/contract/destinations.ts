import * as z from "zod/mini";
import { DEFAULT_FOLDER_RULE, isFolderRule, isRelativeFolder, MAX_FOLDER_PATH } from "./delivery-path";
import {
  DESTINATION_KINDS,
  type DestinationKind,
  GRANTED_KINDS,
  type GrantedKind,
} from "./destination-kinds";
import {
  count,
  entity,
  id,
  outgoingUrl,
  paging,
  queriedId,
  RESPONSES,
  requiredText,
  rowId,
  text,
  textAsTyped,
  time,
} from "./fields";
import { LIMITS, SERVER_LIMITS } from "./limits";
import { MESSAGES } from "./messages";

export const MAX_DESTINATIONS = 5;
export const MAX_DESTINATION_NAME = 100;
const MAX_SECRET = 1000;

/** When a file is delivered: with each submission, or once its document is accepted. */
export const DELIVERY_TIMES = ["submitted", "accepted"] as const;

/**
 * `reconnect`: the access has ended. `full`: there is no space left. Both are tried hourly, and deliveries wait meanwhile, as
 * they do while it is `paused`.
 */
export const DESTINATION_STATES = ["active", "paused", "reconnect", "full"] as const;
export type DestinationState = (typeof DESTINATION_STATES)[number];

export const DELIVERY_STATES = ["waiting", "delivered", "failed"] as const;

/** Why the last attempt failed. */
export const FILE_DELIVERY_FAILURES = [
  "refused",
  "missing",
  "unreachable",
  "reconnect",
  "full",
  "deleted",
] as const;
export type FileDeliveryFailure = (typeof FILE_DELIVERY_FAILURES)[number];

/** What owners are told of: a destination that waits for them, or a file that was given up. */
export type DestinationProblem = Extract<FileDeliveryFailure, "reconnect" | "full"> | "paused" | "failed";

const value = requiredText(LIMITS.name, MESSAGES.answerRequired);
/** What a header can contain. */
const headerValue = value.check(z.regex(/^[\x21-\x7e]+$/));
const secret = textAsTyped(MAX_SECRET, MESSAGES.answerRequired);
const relativePath = text(MAX_FOLDER_PATH).check(z.refine(isRelativeFolder, MESSAGES.invalidFolder));

/** The settings of each kind: where it writes to. */
export const DESTINATION_SETTINGS = {
  microsoft: z.object({ driveId: value, folderId: value, folderName: z.optional(value) }),
  google: z.object({ folderName: value }),
  s3: z.object({
    endpoint: outgoingUrl,
    bucket: value,
    region: headerValue,
    prefix: z.optional(relativePath),
  }),
  webdav: z.object({ url: outgoingUrl }),
  folder: z.object({ path: relativePath }),
} as const satisfies Record<DestinationKind, z.ZodMiniType<DestinationSettings>>;
export type DestinationSettings = Readonly<Record<string, string | undefined>>;

/** Of the kinds that are not connected by signing in there. */
export const DESTINATION_CREDENTIALS = {
  s3: z.object({ accessKeyId: headerValue, secretAccessKey: secret }),
  webdav: z.object({ user: value, password: secret }),
  folder: z.pipe(
    z.nullish(z.object({})),
    z.transform(() => ({})),
  ),
} as const satisfies Record<Exclude<DestinationKind, GrantedKind>, z.ZodMiniType<Record<string, string>>>;

const folderRule = z
  .string()
  .check(
    z.trim(),
    z.maxLength(MAX_FOLDER_PATH, { abort: true }),
    z.refine(isFolderRule, MESSAGES.invalidFolderRule),
  );

const common = {
  name: requiredText(MAX_DESTINATION_NAME, MESSAGES.nameRequired),
  when: z.enum(DELIVERY_TIMES),
  /** Null and blank both mean the default rule. */
  folderRule: z.pipe(
    z.nullable(folderRule),
    z.transform((rule) => rule || DEFAULT_FOLDER_RULE),
  ),
  includeAnswers: z.boolean(),
};
const shared = {
  workspaceId: rowId,
  name: common.name,
  when: z._default(common.when, "submitted"),
  folderRule: z._default(common.folderRule, DEFAULT_FOLDER_RULE),
  includeAnswers: z._default(common.includeAnswers, true),
};
const inputOf = <Kind extends keyof typeof DESTINATION_CREDENTIALS>(kind: Kind) =>
  z.object({
    ...shared,
    kind: z.literal(kind),
    settings: DESTINATION_SETTINGS[kind],
    credentials: DESTINATION_CREDENTIALS[kind],
  });

export const destinationInput = z.discriminatedUnion("kind", [
  inputOf("s3"),
  inputOf("webdav"),
  inputOf("folder"),
]);

/** Absent fields stay unchanged. What `settings` and `credentials` must have depends on the kind. */
export const destinationChanges = z.object({
  name: z.optional(common.name),
  when: z.optional(common.when),
  folderRule: z.optional(common.folderRule),
  includeAnswers: z.optional(common.includeAnswers),
  settings: z.optional(z.record(z.string(), z.unknown())),
  credentials: z.optional(z.record(z.string(), z.unknown())),
  state: z.optional(z.enum(["active", "paused"])),
});

export type DestinationInput = z.output<typeof destinationInput>;
export type DestinationChanges = z.output<typeof destinationChanges>;

export const destinationsQuery = z.object({ workspaceId: z.optional(queriedId) });

/** `destinationId` renews the grant of an existing destination. */
export const connectInput = z.object({
  workspaceId: rowId,
  kind: z.enum(GRANTED_KINDS),
  destinationId: z.optional(rowId),
});

export const foldersQuery = z.object({
  parent: z.optional(z.string().check(z.maxLength(SERVER_LIMITS.cursor))),
  address: z.optional(z.string().check(z.maxLength(SERVER_LIMITS.cursor))),
  cursor: z.optional(z.string().check(z.maxLength(SERVER_LIMITS.cursor))),
});

/** Which submitted files are delivered that were not yet: from this time on, or of these envelopes. */
export const backfillInput = z.object({
  from: z.optional(
    z.string().check(
      z.maxLength(LIMITS.timestamp, { abort: true, error: MESSAGES.invalidDate }),
      z.refine((from) => !Number.isNaN(Date.parse(from)), MESSAGES.invalidDate),
    ),
  ),
  requestIds: z.optional(z.array(rowId).check(z.maxLength(LIMITS.listedIds))),
});

export const fileDeliveriesQuery = z.object({ ...paging(), state: z.optional(z.enum(DELIVERY_STATES)) });

export const destinationResponse = entity("Destination", {
  id,
  kind: z.enum(DESTINATION_KINDS),
  name: z.string(),
  account: z.nullable(z.string()).check(z.describe("Whose access it is")),
  settings: z
    .record(z.string(), z.string())
    .check(z.describe("Where it writes to; empty until a folder is chosen")),
  when: z.enum(DELIVERY_TIMES),
  folderRule: z.string(),
  includeAnswers: z.boolean(),
  state: z.enum(DESTINATION_STATES),
  waiting: count.check(z.describe("At most 10,000, like the other numbers")),
  retried: count.check(z.describe("Of those that wait, files that it has not taken yet")),
  failed: count,
  lastDeliveredAt: z.nullable(time),
});

export const connectResponse = entity("DestinationConnection", { url: z.string() });

export const folderResponse = entity("DestinationFolder", {
  id: z.string(),
  name: z.string(),
  driveId: z.optional(z.string()),
});

export const destinationTestResponse = z
  .union([
    z.object({ ok: z.literal(true), path: z.string() }),
    z.object({
      ok: z.literal(false),
      code: z.enum(["destination_refused", "destination_unreachable", "destination_unavailable"]),
      message: z.string().check(z.describe("What the destination said")),
    }),
  ])
  .register(RESPONSES, { id: "DestinationTest" });

/** `?from=`: what `backfillInput` with it would queue. */
export const backfillQuery = z.pick(backfillInput, { from: true });

/** The kinds that the caller can add. */
export const destinationKindsResponse = entity("DestinationKinds", {
  kinds: z.array(z.enum(DESTINATION_KINDS)),
});

export const backfillResponse = entity("DestinationBackfill", { files: count, bytes: count });

const failure = z.nullable(z.enum(FILE_DELIVERY_FAILURES));

/** A delivery in the log of a destination. */
export const fileDeliveryResponse = entity("FileDelivery", {
  id,
  requestId: id,
  file: z
    .nullable(id)
    .check(z.describe("The id of the submitted file; null for the manifest and the answers")),
  documentName: z.nullable(z.string()),
  fileName: z.string(),
  state: z.enum(DELIVERY_STATES),
  path: z.nullable(z.string()),
  url: z.nullable(z.string()),
  attempts: count,
  failure,
  failureText: z.nullable(z.string()).check(z.describe("What the destination said")),
  createdAt: time,
  deliveredAt: z.nullable(time),
  nextAttemptAt: z.nullable(time),
});

/** A delivery of a submitted file, in responses of envelopes. */
export const submissionDelivery = z.object({
  id,
  destination: z.object({ id, name: z.string(), kind: z.enum(DESTINATION_KINDS) }),
  state: z.enum(DELIVERY_STATES),
  path: z.nullable(z.string()),
  url: z.nullable(z.string()),
  at: time.check(z.describe("Since when it has this state")),
  failure,
});
