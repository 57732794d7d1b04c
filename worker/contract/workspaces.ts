import * as z from "zod";
import { optionalText, requiredText } from "./fields";
import { LIMITS } from "./limits";
import { MESSAGES } from "./messages";
import { RETENTION_DAYS } from "./options";

export const workspaceInput = z.object({
  name: requiredText(LIMITS.name, MESSAGES.nameRequired),
  description: optionalText(LIMITS.text),
});

/** How long a workspace keeps the files of completed envelopes; null for as long as the envelopes. */
export const workspaceChanges = z.object({ retentionDays: z.literal(RETENTION_DAYS).nullable() });
