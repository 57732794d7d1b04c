import * as z from "zod";
import { id, RESPONSES, requiredText, rowId, time } from "./fields";
import { LIMITS } from "./limits";
import { MESSAGES } from "./messages";
import { TOKEN_SCOPES } from "./options";

export const apiTokenInput = z.object({
  name: requiredText(LIMITS.tokenName, MESSAGES.nameRequired),
  scope: z.enum(TOKEN_SCOPES),
  /** An ISO 8601 time in the future; absent for a token that does not expire. */
  expiresAt: z
    .string()
    .max(LIMITS.timestamp, { abort: true, error: MESSAGES.invalidDate })
    .pipe(z.iso.datetime({ offset: true, error: MESSAGES.invalidDate }))
    .transform((time) => new Date(time).toISOString())
    .nullish(),
  workspaceId: rowId.nullish().describe("The only workspace that the token may use; absent for all"),
});
export type ApiTokenInput = z.output<typeof apiTokenInput>;

const apiToken = {
  id,
  name: z.string(),
  scope: z.enum(TOKEN_SCOPES),
  prefix: z.string(),
  createdAt: time,
  expiresAt: time.nullable(),
  lastUsedAt: time.nullable(),
  workspaceId: id.nullable().describe("The only workspace that the token may use; null for all"),
};
export const apiTokenResponse = z.object(apiToken).register(RESPONSES, { id: "ApiToken" });

export const newApiTokenResponse = z
  .object({ ...apiToken, token: z.string().describe("Returned only once") })
  .register(RESPONSES, { id: "NewApiToken" });
