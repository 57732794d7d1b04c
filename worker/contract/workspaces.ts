import * as z from "zod";
import { optionalText, textAsTyped } from "./fields";
import { unknownFields } from "./file-name-rule";
import { LIMITS } from "./limits";
import { MESSAGES } from "./messages";
import { RETENTION_DAYS } from "./options";

export const workspaceInput = z.object({
  name: textAsTyped(LIMITS.name, MESSAGES.nameRequired),
  description: optionalText(LIMITS.text),
});

/** A rule of known placeholders; null and blank both mean the default rule. */
const fileNameRule = optionalText(LIMITS.name).refine(
  (rule) => rule === null || unknownFields(rule).length === 0,
  MESSAGES.invalidFileNameRule,
);

/** Absent fields stay unchanged. */
export const workspaceChanges = z.object({
  /** How long the workspace keeps the files of completed envelopes; null for as long as the envelopes. */
  retentionDays: z.literal(RETENTION_DAYS).nullable().optional(),
  fileNameRule: fileNameRule.optional(),
});
export type WorkspaceChanges = z.output<typeof workspaceChanges>;

/** `?days=30`: the retention period to preview. */
export const retentionQuery = z.object({ days: z.coerce.number().pipe(z.literal(RETENTION_DAYS)) });
