import {
  type ApiToken,
  countApiTokens,
  deleteApiToken,
  expireApiToken,
  insertApiToken,
  isTokenRejected,
} from "../../../db/queries/api-tokens";
import type { ApiTokenInput } from "../../contract/api-tokens";
import { SERVER_LIMITS } from "../../contract/limits";
import { MESSAGES } from "../../contract/messages";
import type { Dependencies } from "../../dependencies";
import { appError, rejectedAs, validationError } from "../../errors";
import { createApiToken, shownPart } from "../../lib/api-token";
import { hashToken } from "../../lib/tokens";

/** The token as listed for its owner: without anything that grants access. */
export function apiTokenView({ userId: _user, tokenHash: _hash, ...token }: ApiToken) {
  return token;
}

/**
 * Creates a token. Only the response contains its text: the database stores a hash.
 * @throws AppError `validation` if its expiry is in the past, `too_many_tokens`, `unauthenticated` if the session has
 *   ended meanwhile, `workspace_not_found`
 */
export async function issueApiToken(
  { db, clock }: Dependencies,
  { userId, sid }: { userId: number; sid: string },
  input: ApiTokenInput,
) {
  const createdAt = clock.now().toISOString();
  const expiresAt = input.expiresAt ?? null;
  if (expiresAt !== null && expiresAt <= createdAt)
    throw validationError([{ path: "expiresAt", message: MESSAGES.dateInPast }]);
  const token = await createApiToken();
  const row = await insertApiToken(
    db,
    userId,
    {
      name: input.name,
      scope: input.scope,
      tokenHash: await hashToken(token),
      prefix: shownPart(token),
      createdAt,
      expiresAt,
      workspaceId: input.workspaceId ?? null,
    },
    { sid, max: SERVER_LIMITS.apiTokensPerAccount },
  ).catch(rejectedAs(isTokenRejected, "unauthenticated"));
  if (!row) {
    const max = SERVER_LIMITS.apiTokensPerAccount;
    const isFull = (await countApiTokens(db, userId)) >= max;
    throw isFull ? appError("too_many_tokens", { params: { max } }) : appError("workspace_not_found");
  }
  return { ...apiTokenView(row), token };
}

/** @throws AppError `not_found` */
export async function revokeApiToken(
  { db, clock, takeTurn }: Dependencies,
  userId: number,
  id: number,
): Promise<void> {
  const now = clock.now().toISOString();
  const { stopManyBulkSends } = await import("../../../db/queries/bulk-sends-in-parts");
  await expireApiToken(db, userId, id, now);
  await stopManyBulkSends(db, { userId, apiTokenId: id }, { now, takeTurn });
  if (!(await deleteApiToken(db, userId, id, now))) throw appError("not_found");
}
