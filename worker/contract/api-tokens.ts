import * as z from "zod/mini";
import { entity, id, requiredText, rowId, time } from "./fields";
import { LIMITS } from "./limits";
import { MESSAGES } from "./messages";
import { TOKEN_SCOPES } from "./options";

export const apiTokenInput = z.object({
  name: requiredText(LIMITS.tokenName, MESSAGES.nameRequired),
  scope: z.enum(TOKEN_SCOPES),
  /** An ISO 8601 time in the future; absent for a token that does not expire. */
  expiresAt: z.nullish(
    z.pipe(
      z.pipe(
        z.string().check(z.maxLength(LIMITS.timestamp, { abort: true, error: MESSAGES.invalidDate })),
        z.iso.datetime({ offset: true, error: MESSAGES.invalidDate }),
      ),
      z.transform((time) => new Date(time).toISOString()),
    ),
  ),
  workspaceId: z
    .nullish(rowId)
    .check(z.describe("The only workspace that the token may use; absent for all")),
});
export type ApiTokenInput = z.output<typeof apiTokenInput>;

const apiToken = {
  id,
  name: z.string(),
  scope: z.enum(TOKEN_SCOPES),
  prefix: z.string(),
  createdAt: time,
  expiresAt: z.nullable(time),
  lastUsedAt: z.nullable(time),
  workspaceId: z.nullable(id).check(z.describe("The only workspace that the token may use; null for all")),
};
export const apiTokenResponse = entity("ApiToken", apiToken);

export const newApiTokenResponse = entity("NewApiToken", {
  ...apiToken,
  token: z.string().check(z.describe("Returned only once")),
});
