import {
  type ApiToken,
  deleteApiToken,
  insertApiToken,
  isTokenRefused,
} from "../../../db/queries/api-tokens";
import type { ApiTokenInput } from "../../contract/api-tokens";
import { LIMITS } from "../../contract/limits";
import { MESSAGES } from "../../contract/messages";
import type { Dependencies } from "../../dependencies";
import { appError, validationError } from "../../errors";
import { createApiToken, shownPart } from "../../lib/api-token";
import { hashToken } from "../../lib/tokens";

/** The token as its owner sees it in a list: without anything that lets somebody in. */
export function apiTokenView({ id, name, scope, prefix, createdAt, expiresAt, lastUsedAt }: ApiToken) {
  return { id, name, scope, prefix, createdAt, expiresAt, lastUsedAt };
}

/**
 * Makes a token. Its text is in the answer and nowhere else: the database keeps its hash.
 * @throws AppError `validation` where it would have expired already, `too_many_tokens`, `unauthenticated` where the session has ended meanwhile
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
    throw isTokenRefused(error) ? appError("unauthenticated") : error;
  });
  if (!row) throw appError("too_many_tokens", { params: { max: LIMITS.apiTokensPerAccount } });
  return { ...apiTokenView(row), token };
}

/** @throws AppError `not_found` */
export async function revokeApiToken({ db }: Dependencies, userId: number, id: number): Promise<void> {
  if (!(await deleteApiToken(db, userId, id))) throw appError("not_found");
}
