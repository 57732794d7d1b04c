import type { Context } from "hono";
import { findApiToken } from "../../db/queries/api-tokens";
import { listMemberships, type Member } from "../../db/queries/members";
import { findSession } from "../../db/queries/sessions";
import type { SignedInEnv, UserEnv } from "../app-env";
import { hashToken } from "../lib/tokens";
import { bearerToken } from "./api-token";

/** A Worker may make a thousand queries for a request. */
const CHECK_MS = 5000;

/**
 * A download that takes a while: fails, so that nobody takes it for complete, once the caller has lost the session or the API
 * token, or the role in a workspace that they had it in.
 */
export async function revocable(
  c: Context<UserEnv> | Context<SignedInEnv>,
  member: Member,
  download: ReadableStream<Uint8Array>,
): Promise<ReadableStream<Uint8Array>> {
  const { db, clock, log } = c.var.deps;
  const before = await listMemberships(db, member);
  const isAllowed = async () => {
    const memberships = new Set(await listMemberships(db, member));
    return (await isSignedIn(c)) && before.every((workspaceId) => memberships.has(workspaceId));
  };
  const reader = download.getReader();
  let checkedAt = clock.now().getTime();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value, done } = await reader.read();
        const now = clock.now().getTime();
        if (Math.abs(now - checkedAt) >= CHECK_MS) {
          checkedAt = now;
          if (!(await isAllowed())) {
            log.warn("download stopped", { userId: member.userId });
            await reader.cancel();
            return controller.error(new Error("The caller has lost access during the download"));
          }
        }
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

async function isSignedIn(c: Context<UserEnv> | Context<SignedInEnv>): Promise<boolean> {
  const { db, clock } = c.var.deps;
  const now = clock.now().toISOString();
  const token = bearerToken(c);
  if (token !== undefined) return (await findApiToken(db, await hashToken(token), now)) !== undefined;
  const { session } = c.var;
  return session !== undefined && (await findSession(db, session.sid, now)) !== undefined;
}
