import * as z from "zod";
import { requiredText } from "./fields";
import { LIMITS } from "./limits";
import { MESSAGES } from "./messages";
import { TOKEN_SCOPES } from "./options";

export const apiTokenInput = z.object({
  name: requiredText(LIMITS.tokenName, MESSAGES.nameRequired),
  scope: z.enum(TOKEN_SCOPES),
  /** An ISO 8601 time in the future; absent for a token that does not expire. */
  expiresAt: z
    .string()
    .max(LIMITS.moment, { abort: true, error: MESSAGES.invalidDate })
    .pipe(z.iso.datetime({ offset: true, error: MESSAGES.invalidDate }))
    .transform((moment) => new Date(moment).toISOString())
    .nullish(),
});
export type ApiTokenInput = z.output<typeof apiTokenInput>;
