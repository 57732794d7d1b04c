import * as z from "zod";
import { logoResponse } from "./brand";
import { fileTypeList } from "./documents";
import {
  count,
  id,
  optionalText,
  RESPONSES,
  requiredText,
  type SchemasOf,
  textAsTyped,
  time,
} from "./fields";
import { unknownFields } from "./file-name-rule";
import { LIMITS } from "./limits";
import { MESSAGES } from "./messages";
import { RETENTION_DAYS, ROLES } from "./options";
import { isHexColor } from "./patterns";

export const workspaceInput = z.object({
  name: textAsTyped(LIMITS.name, MESSAGES.nameRequired),
  description: optionalText(LIMITS.text),
});

export type WorkspaceInput = z.output<typeof workspaceInput>;

/** A rule of known placeholders; null and blank both mean the default rule. */
const fileNameRule = optionalText(LIMITS.name).refine(
  (rule) => rule === null || unknownFields(rule).length === 0,
  MESSAGES.invalidFileNameRule,
);

/** Absent fields stay unchanged. */
export const workspaceChanges = workspaceInput.partial().extend({
  /** How long the workspace keeps the files of completed envelopes; null for as long as the envelopes. */
  retentionDays: z.literal(RETENTION_DAYS).nullable().optional(),
  fileNameRule: fileNameRule.optional(),
  /** What the app offers for a new requested document; null and empty for pdf, doc and docx. */
  defaultFileTypes: fileTypeList
    .nullable()
    .transform((types) => (types?.length ? types : null))
    .optional(),
  brandName: requiredText(LIMITS.brandName, MESSAGES.nameRequired)
    .nullable()
    .optional()
    .describe("What recipients see in place of the product's name"),
  brandColor: z
    .string()
    .max("#rrggbb".length, { abort: true, error: MESSAGES.invalidColor })
    .refine(isHexColor, MESSAGES.invalidColor)
    .toLowerCase()
    .nullable()
    .optional()
    .describe("As `#rrggbb`; recipients see shades of it on which text is readable"),
  brandFooter: optionalText(LIMITS.brandFooter)
    .optional()
    .describe("Plain text at the end of each mail and page"),
});
export type WorkspaceChanges = z.output<typeof workspaceChanges>;

/** What the account enters of a workspace, at once or later. */
export type WorkspaceFields = WorkspaceInput & Required<WorkspaceChanges>;

/** The latest announcement among the notices that were shown. */
export const deletionNoticeInput = z.object({
  announcedAt: z
    .string()
    .max(LIMITS.timestamp, { abort: true, error: MESSAGES.invalidDate })
    .pipe(z.iso.datetime({ error: MESSAGES.invalidDate })),
});

/** `?days=30`: the retention period to preview. */
export const retentionQuery = z.object({ days: z.coerce.number().pipe(z.literal(RETENTION_DAYS)) });

export const workspaceResponse = z
  .object({
    id,
    userId: id,
    ...({
      name: z.string(),
      description: z.string().nullable(),
      retentionDays: z.literal(RETENTION_DAYS).nullable(),
      fileNameRule: z.string().nullable(),
      defaultFileTypes: z
        .array(z.string())
        .nullable()
        .describe("What the app offers for a new requested document; null for pdf, doc and docx"),
      brandName: z.string().nullable(),
      brandColor: z.string().nullable(),
      brandFooter: z.string().nullable(),
    } satisfies SchemasOf<WorkspaceFields>),
    logo: logoResponse.nullable(),
    createdAt: time,
    updatedAt: time,
    role: z.enum(ROLES).describe("The caller's"),
    memberCount: count,
  })
  .register(RESPONSES, { id: "Workspace" });

export const deletionNoticeResponse = z
  .object({
    workspaceId: id,
    envelopes: count.describe("Completed envelopes whose files are announced for deletion"),
    firstDeletionAt: time,
    announcedAt: time.describe("The latest announcement"),
    unseen: z.boolean().describe("Whether the notice period has not begun: nothing was sent or shown"),
  })
  .register(RESPONSES, { id: "DeletionNotice" });

export const retentionPreviewResponse = z
  .object({
    files: count.describe("Existing files of completed envelopes"),
    envelopes: count.describe("Completed envelopes with such files"),
    firstDeletionAt: time.nullable().describe("Null if there are none"),
  })
  .register(RESPONSES, { id: "RetentionReach" });
