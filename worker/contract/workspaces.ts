import * as z from "zod/mini";
import { logoResponse } from "./brand";
import { fileTypeList } from "./documents";
import { count, entity, id, optionalText, requiredText, type SchemasOf, textAsTyped, time } from "./fields";
import { unknownFields } from "./file-name-rule";
import { LIMITS } from "./limits";
import { MESSAGES } from "./messages";
import { LOGO_GROUNDS, RETENTION_DAYS, ROLES } from "./options";
import { isHexColor } from "./patterns";

export const workspaceInput = z.object({
  name: textAsTyped(LIMITS.name, MESSAGES.nameRequired),
  description: optionalText(LIMITS.text),
});

export type WorkspaceInput = z.output<typeof workspaceInput>;

/** A rule of known placeholders; null and blank both mean the default rule. */
const fileNameRule = optionalText(LIMITS.name).check(
  z.refine((rule) => rule === null || unknownFields(rule).length === 0, MESSAGES.invalidFileNameRule),
);

/** Absent fields stay unchanged. */
export const workspaceChanges = z.extend(z.partial(workspaceInput), {
  /** How long the workspace keeps the files of completed envelopes; null for as long as the envelopes. */
  retentionDays: z.optional(z.nullable(z.literal(RETENTION_DAYS))),
  fileNameRule: z.optional(fileNameRule),
  /** What the app offers for a new requested document; null and empty for pdf, doc and docx. */
  defaultFileTypes: z.optional(
    z.pipe(
      z.nullable(fileTypeList),
      z.transform((types) => (types?.length ? types : null)),
    ),
  ),
  brandName: z
    .optional(z.nullable(requiredText(LIMITS.brandName, MESSAGES.nameRequired)))
    .check(z.describe("What recipients see in place of the product's name")),
  brandColor: z
    .optional(
      z.nullable(
        z
          .string()
          .check(
            z.maxLength("#rrggbb".length, { abort: true, error: MESSAGES.invalidColor }),
            z.refine(isHexColor, MESSAGES.invalidColor),
            z.toLowerCase(),
          ),
      ),
    )
    .check(z.describe("As `#rrggbb`; recipients see shades of it on which text is readable")),
  brandFooter: z
    .optional(optionalText(LIMITS.brandFooter))
    .check(z.describe("Plain text at the end of each mail and page")),
  /** Measured by the browser that uploads a logo, which resets it. */
  logoReadableOn: z
    .optional(z.nullable(z.enum(LOGO_GROUNDS)))
    .check(z.describe("The themes in which the logo needs no plate; null for a plate in both")),
  logoHasName: z
    .optional(z.boolean())
    .check(z.describe("Whether the logo contains the name, which is then not written beside it")),
});
export type WorkspaceChanges = z.output<typeof workspaceChanges>;

/** What the account enters of a workspace, at once or later. */
export type WorkspaceFields = WorkspaceInput & Required<WorkspaceChanges>;

/** The latest announcement among the notices that were shown. */
export const deletionNoticeInput = z.object({
  announcedAt: z.pipe(
    z.string().check(z.maxLength(LIMITS.timestamp, { abort: true, error: MESSAGES.invalidDate })),
    z.iso.datetime({ error: MESSAGES.invalidDate }),
  ),
});

/** `?days=30`: the retention period to preview. */
export const retentionQuery = z.object({ days: z.pipe(z.coerce.number(), z.literal(RETENTION_DAYS)) });

export const workspaceResponse = entity("Workspace", {
  id,
  userId: id,
  ...({
    name: z.string(),
    description: z.nullable(z.string()),
    retentionDays: z.nullable(z.literal(RETENTION_DAYS)),
    fileNameRule: z.nullable(z.string()),
    defaultFileTypes: z
      .nullable(z.array(z.string()))
      .check(z.describe("What the app offers for a new requested document; null for pdf, doc and docx")),
    brandName: z.nullable(z.string()),
    brandColor: z.nullable(z.string()),
    brandFooter: z.nullable(z.string()),
    logoReadableOn: z.nullable(z.enum(LOGO_GROUNDS)),
    logoHasName: z.boolean(),
  } satisfies SchemasOf<WorkspaceFields>),
  logo: z.nullable(logoResponse),
  createdAt: time,
  updatedAt: time,
  role: z.enum(ROLES).check(z.describe("The caller's")),
  memberCount: count,
  schedulesStopped: z
    .boolean()
    .check(z.describe("Whether an import has stopped what is sent on a day, and nobody has read the notice")),
  hasSchedules: z
    .boolean()
    .check(z.describe("Whether an envelope is scheduled, a series exists or a document expires")),
  hasFailedDeliveries: z
    .boolean()
    .check(z.describe("Whether a file could not be delivered to one of its destinations")),
  hasStoppedDestination: z
    .boolean()
    .check(z.describe("Whether one of its destinations must be connected again or is full")),
});

export const deletionNoticeResponse = entity("DeletionNotice", {
  workspaceId: id,
  envelopes: count.check(z.describe("Completed envelopes whose files are announced for deletion")),
  firstDeletionAt: time,
  waiting: count.check(z.describe("Those of them that wait to be delivered, for at most 7 more days")),
  announcedAt: time.check(z.describe("The latest announcement")),
  unseen: z.boolean().check(z.describe("Whether the notice period has not begun: nothing was sent or shown")),
});

export const retentionPreviewResponse = entity("RetentionReach", {
  files: count.check(z.describe("Existing files of completed envelopes")),
  answers: count.check(z.describe("Existing answers of completed envelopes")),
  envelopes: count.check(z.describe("Completed envelopes with such files or answers")),
  allFiles: count.check(z.describe("Existing files of all envelopes, which go with the workspace")),
  firstDeletionAt: z.nullable(time).check(z.describe("Null if there are none")),
});
