import { findEnvelopeListVersion } from "../../../db/queries/envelopes";
import type { Member } from "../../../db/queries/members";
import type { User } from "../../../db/queries/users";
import type { Dependencies } from "../../dependencies";
import { hashToken } from "../../lib/tokens";
import { VERSION } from "../../lib/version";
import { timesOfChange } from "../envelope-rules/envelope-dates";
import type { Viewer } from "./envelope-view";

/** Between which times a response is right: later than the first, and not later than the second. */
export type Period = { after: string; until: string };
/** Before and after all times, as text. */
const ALWAYS: Period = { after: "0", until: "Z" };

/** What a list is besides what the database contains. `query` is as in the URL. */
export type ListKey = {
  member: Member;
  user: User;
  viewer: Viewer;
  query: string;
  workspaceId: number | undefined;
};

type Dated = Parameters<typeof timesOfChange>[0];

/** In which period these envelopes, and the counts that change at these times, are as they are now; null if only now. */
export function periodOf(
  envelopes: Iterable<Dated>,
  counts: { endedAt: string | null; endsAt: string | null } | null,
  now: Date,
): Period | null {
  const at = now.toISOString();
  let { after, until } = ALWAYS;
  const narrow = (time: string | null) => {
    if (!time) return;
    if (time >= at) until = time < until ? time : until;
    else after = time > after ? time : after;
  };
  for (const envelope of envelopes) {
    const times = timesOfChange(envelope, now);
    if (times === null) return null;
    for (const time of times) narrow(time);
  }
  narrow(counts?.endedAt ?? null);
  narrow(counts?.endsAt ?? null);
  return { after, until };
}

const TAG = /^(?:W\/)?"([\w:.-]+)\/([\w:.-]+)\/([\w:.-]+)"$/;

/** The entity tag of a list with this version of `listVersions`; undefined if the times cannot be part of one. */
export async function listEtag(
  { member, user, viewer, query }: ListKey,
  version: unknown,
  { after, until }: Period,
): Promise<string | undefined> {
  // The caller's name is read with the session, before the version.
  const { id, firstName, lastName, email, hasUnsubscribers } = user;
  const caller = [id, firstName, lastName, email, hasUnsubscribers, member.workspaceId, viewer.withLink];
  const hash = await hashToken(JSON.stringify([VERSION, query, caller, version, after, until]));
  const etag = `W/"${hash}/${after}/${until}"`;
  return TAG.test(etag) ? etag : undefined;
}

/** Which of the entity tags that the client knows is that of the list now. Reads no envelope. */
export async function findKnownEtag(
  { db }: Pick<Dependencies, "db">,
  key: ListKey,
  known: string,
): Promise<string | undefined> {
  const now = key.viewer.now.toISOString();
  const periods = known.split(",").flatMap((tag) => {
    const [, hash, after = "", until = ""] = TAG.exec(tag.trim()) ?? [];
    return hash && after < now && now <= until ? { hash, after, until } : [];
  });
  if (periods.length === 0) return undefined;
  const version = await findEnvelopeListVersion(db, key.member, { workspaceId: key.workspaceId });
  for (const { hash, ...period } of periods) {
    const etag = await listEtag(key, version, period);
    if (etag?.startsWith(`W/"${hash}/`)) return etag;
  }
  return undefined;
}
