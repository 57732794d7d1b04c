import * as z from "zod";
import { requiredText } from "./fields";
import { LIMITS } from "./limits";
import { MESSAGES } from "./messages";

/** What a token may do: look, or look and change. */
export const TOKEN_SCOPES = ["read", "write"] as const;
export type TokenScope = (typeof TOKEN_SCOPES)[number];

export const TOKEN_NAME_LENGTH = 100;

export const apiTokenInput = z.object({
  name: requiredText(TOKEN_NAME_LENGTH, MESSAGES.nameRequired),
  scope: z.enum(TOKEN_SCOPES),
  /** An ISO 8601 moment in the future; absent for a token without an end. */
  expiresAt: z
    .string()
    .max(LIMITS.moment, { abort: true, error: MESSAGES.invalidDate })
    .pipe(z.iso.datetime({ offset: true, error: MESSAGES.invalidDate }))
    .transform((moment) => new Date(moment).toISOString())
    .nullish(),
});
export type ApiTokenInput = z.output<typeof apiTokenInput>;
