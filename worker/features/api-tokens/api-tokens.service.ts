import {
  type ApiToken,
  deleteApiToken,
  insertApiToken,
  isTokenRejected,
} from "../../../db/queries/api-tokens";
import type { ApiTokenInput } from "../../contract/api-tokens";
import { LIMITS } from "../../contract/limits";
import { MESSAGES } from "../../contract/messages";
import type { Dependencies } from "../../dependencies";
import { appError, validationError } from "../../errors";
import { createApiToken, shownPart } from "../../lib/api-token";
import { hashToken } from "../../lib/tokens";

/** The token as listed for its owner: without anything that grants access. */
export function apiTokenView({ id, name, scope, prefix, createdAt, expiresAt, lastUsedAt }: ApiToken) {
  return { id, name, scope, prefix, createdAt, expiresAt, lastUsedAt };
}

/**
 * Creates a token. Only the response contains its text: the database stores a hash.
 * @throws AppError `validation` if its expiry is in the past, `too_many_tokens`, `unauthenticated` if the session has
 *   ended meanwhile
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
    },
    { sid, max: LIMITS.apiTokensPerAccount },
  ).catch((error: unknown) => {
    throw isTokenRejected(error) ? appError("unauthenticated") : error;
  });
  if (!row) throw appError("too_many_tokens", { params: { max: LIMITS.apiTokensPerAccount } });
  return { ...apiTokenView(row), token };
}

/** @throws AppError `not_found` */
export async function revokeApiToken({ db }: Dependencies, userId: number, id: number): Promise<void> {
  if (!(await deleteApiToken(db, userId, id))) throw appError("not_found");
}
