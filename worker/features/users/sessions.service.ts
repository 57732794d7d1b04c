import { listSessions } from "../../../db/queries/sessions";
import { listSignIns } from "../../../db/queries/sign-ins";
import { fieldsOf } from "../../contract/fields";
import { SIGN_IN_DAYS } from "../../contract/options";
import { sessionResponse } from "../../contract/users";
import type { Dependencies } from "../../dependencies";
import { appError } from "../../errors";
import { DAY_MS } from "../../lib/durations";

/** The account's sessions: the current one first, then by last use. */
export async function readSessions({ db, clock }: Dependencies, userId: number, currentSid: string) {
  const rows = await listSessions(db, userId, { now: clock.now().toISOString() });
  return rows
    .map(({ sid, sess }) =>
      fieldsOf(sessionResponse, { ...sess, lastUsedAt: sess.usedAt, current: sid === currentSid }),
    )
    .sort(
      (a, b) => Number(b.current) - Number(a.current) || Date.parse(b.lastUsedAt) - Date.parse(a.lastUsedAt),
    );
}

/** A page of the account's sign-ins, the latest first. */
export async function readSignIns(
  { db, clock }: Dependencies,
  userId: number,
  page: { limit?: number | undefined; cursor?: number | undefined },
) {
  const since = new Date(clock.now().getTime() - SIGN_IN_DAYS * DAY_MS).toISOString();
  const { rows, next } = await listSignIns(db, userId, { ...page, since });
  return {
    rows: rows.map(({ userId: _owner, userAgent, ...row }) => ({ ...row, browser: userAgent })),
    next,
  };
}

/**
 * The token hash of one of the account's sessions, by its public id.
 * @throws AppError `not_found`
 */
export async function requireSession({ db, clock }: Dependencies, userId: number, id: string) {
  const [found] = await listSessions(db, userId, { now: clock.now().toISOString(), id });
  if (!found) throw appError("not_found");
  return found.sid;
}
