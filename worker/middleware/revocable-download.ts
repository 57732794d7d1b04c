import type { Context } from "hono";
import { findApiToken } from "../../db/queries/api-tokens";
import { listMemberships, type Member } from "../../db/queries/members";
import { findSession } from "../../db/queries/sessions";
import type { User } from "../../db/queries/users";
import type { SignedInEnv, UserEnv } from "../app-env";
import { hashToken } from "../lib/tokens";
import { bearerToken } from "./api-token";

/** A Worker may make a thousand queries for a request. */
const CHECK_MS = 5000;

/**
 * A download that takes a while: fails, so that nobody takes it for complete, once the caller has lost the session or the API
 * token, or the right to it.
 * @param right the role in each workspace that they have it in, or what tells by the account
 */
export async function revocable(
  c: Context<UserEnv> | Context<SignedInEnv>,
  right: Member | ((user: User) => boolean),
  download: ReadableStream<Uint8Array>,
): Promise<ReadableStream<Uint8Array>> {
  const { db, clock, log } = c.var.deps;
  const memberships = async () => (typeof right === "function" ? [] : listMemberships(db, right));
  const before = await memberships();
  const isAllowed = async () => {
    const user = await findCaller(c);
    if (!user || (typeof right === "function" && !right(user))) return false;
    const now = new Set(await memberships());
    return before.every((workspaceId) => now.has(workspaceId));
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
            log.warn("download stopped", { userId: c.var.user.id });
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

async function findCaller(c: Context<UserEnv> | Context<SignedInEnv>): Promise<User | undefined> {
  const { db, clock } = c.var.deps;
  const now = clock.now().toISOString();
  const token = bearerToken(c);
  if (token !== undefined) return (await findApiToken(db, await hashToken(token), now))?.user;
  const { session } = c.var;
  return session && (await findSession(db, session.sid, now))?.user;
}
