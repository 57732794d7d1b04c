import { DAY_MS, HOUR_MS } from "../../lib/durations";
import { hashToken, randomToken } from "../../lib/tokens";

/** Each link is a token to mail, of which the database stores only the hash, in `fields`. */

/** A link to confirm an address, replacing an earlier one. */
export async function newVerification(now: Date) {
  const { token, tokenHash, expiresAt } = await newLink(now, DAY_MS);
  return { token, fields: { verificationToken: tokenHash, verificationExpiry: expiresAt } };
}

/** A link to remove an unconfirmed address from an account, replacing an earlier one. */
export async function newRelease(now: Date) {
  const { token, tokenHash, expiresAt } = await newLink(now, DAY_MS);
  return { token, fields: { releaseToken: tokenHash, releaseExpiry: expiresAt } };
}

/** A single-use link to choose a new password. */
export async function newPasswordReset(now: Date, lifeMs = HOUR_MS) {
  const { token, ...fields } = await newLink(now, lifeMs);
  return { token, fields };
}

/** A link to undo a change of the address, or what took the role of an owner. */
export async function newRevert(now: Date) {
  const { token, ...fields } = await newLink(now, 7 * DAY_MS);
  return { token, fields };
}

async function newLink(now: Date, lifeMs: number) {
  const token = randomToken();
  return {
    token,
    tokenHash: await hashToken(token),
    expiresAt: new Date(now.getTime() + lifeMs).toISOString(),
  };
}
