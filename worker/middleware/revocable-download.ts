import type { Context } from "hono";
import { findApiToken } from "../../db/queries/api-tokens";
import { listMemberships, type Member } from "../../db/queries/members";
import { findSession } from "../../db/queries/sessions";
import type { User } from "../../db/queries/users";
import type { SignedInEnv, UserEnv } from "../app-env";
import { appError } from "../errors";
import { streamOf } from "../lib/streams";
import { hashToken } from "../lib/tokens";
import type { Download } from "../process-memory";
import { bearerToken } from "./api-token";

/** A Worker may make a thousand queries for a request. */
const CHECK_MS = 5000;

/** Ordinary downloads of one account: each keeps up to a megabyte in memory for as long as the receiver reads slowly. */
const AT_ONCE = 20;
/** Nobody takes any more of it, or left without a word: it makes room for the next. */
const STUCK_MS = 10 * 60_000;
const RETRY_SECONDS = 10;

/**
 * A download that takes a while: fails, so that nobody takes it for complete, once the caller has lost the session or the API
 * token, or the right to it.
 * @param right the role in each workspace that they have it in, or what tells by the account
 * @param weight how many ordinary ones it counts as: memory has what names the files of an archive until its end
 * @throws AppError `rate_limited` while the account has too many under way
 */
export async function revocable(
  c: Context<UserEnv> | Context<SignedInEnv>,
  right: Member | ((user: User) => boolean),
  download: ReadableStream<Uint8Array>,
  weight = 1,
): Promise<ReadableStream<Uint8Array>> {
  const { db, clock, log, memory } = c.var.deps;
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
  const running: Download = { takenAt: checkedAt, weight, stop: () => reader.cancel() };
  const all = memory.downloads.get(c.var.user.id) ?? new Set();
  const end = () => {
    all.delete(running);
    if (all.size === 0) memory.downloads.delete(c.var.user.id);
  };
  // Nobody reads the body of a response to HEAD.
  if (c.req.method !== "HEAD") {
    if (!hasRoom(all, weight)) removeStuck(all, checkedAt);
    if (!hasRoom(all, weight)) {
      await reader.cancel();
      throw appError("rate_limited", { retryAfterSeconds: RETRY_SECONDS });
    }
    memory.downloads.set(c.var.user.id, all.add(running));
  }
  const read = async () => {
    const chunk = await reader.read();
    const now = clock.now().getTime();
    running.takenAt = now;
    if (running.isStopped) throw new Error("The caller has taken nothing of the download for long");
    if (Math.abs(now - checkedAt) < CHECK_MS) return chunk;
    checkedAt = now;
    if (await isAllowed()) return chunk;
    log.warn("download stopped", { userId: c.var.user.id });
    await reader.cancel();
    throw new Error("The caller has lost access during the download");
  };
  return streamOf({ read, cancel: (reason) => reader.cancel(reason), end });
}

const hasRoom = (all: ReadonlySet<Download>, weight: number) =>
  all.values().reduce((sum, one) => sum + one.weight, weight) <= AT_ONCE;

function removeStuck(all: Set<Download>, now: number): void {
  for (const one of all) {
    if (now - one.takenAt < STUCK_MS) continue;
    all.delete(one);
    one.isStopped = true;
    // A Worker stops nothing of another request.
    void Promise.try(one.stop).catch(() => {});
  }
}

async function findCaller(c: Context<UserEnv> | Context<SignedInEnv>): Promise<User | undefined> {
  const { db, clock } = c.var.deps;
  const now = clock.now().toISOString();
  const token = bearerToken(c);
  if (token !== undefined) return (await findApiToken(db, await hashToken(token), now))?.user;
  const { session } = c.var;
  return session && (await findSession(db, session.sid, now))?.user;
}
