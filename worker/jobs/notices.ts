import { runBatch } from "../../db/client";
import { listPossibleAdministrators } from "../../db/queries/accounts";
import { findRateLimit } from "../../db/queries/rate-limits";
import {
  listEndingEnvelopes,
  listExpired,
  markExpired,
  queueExpiringNotices,
} from "../../db/queries/schedule";
import { findUndelivered, queueUndeliveredNotices } from "../../db/queries/undelivered";
import type { Dependencies } from "../dependencies";
import { queueAccountMail } from "../features/notifications/outbox";
import { RATE_RULES, sendingRules } from "../features/rate-limits/rate-rules";
import { isAdministrator } from "../features/sign-in-policy/sign-in-policy";
import { DAY_MS, HOUR_MS } from "../lib/durations";
import { workInParts } from "./in-parts";

/** From nine in the morning, two days before the last day ends. */
const EXPIRY_NOTICE_MS = 2 * DAY_MS + 15 * HOUR_MS;
/** How long account mails remain stored: the last notice of an account says what its reader already knows. */
const STORED_MS = 7 * DAY_MS;

const iso = (time: number) => new Date(time).toISOString();

const EXPIRED_AT_ONCE = 200;
const EXPIRED_BY_WORKER = 400;
const ANNOUNCED_AT_ONCE = 200;
/** Two calls each. */
const ANNOUNCED_BY_WORKER = 5000;
/** Two calls each, of the 50 that a Worker may make in a run. */
const WORKER_PARTS = 5;

/** Expires the envelopes whose link has ended: in many zones, a day's all end in the same minute. */
export async function expireEnvelopes({ db, clock, runLimits, ...deps }: Dependencies): Promise<void> {
  const limit = runLimits ? EXPIRED_BY_WORKER : EXPIRED_AT_ONCE;
  await workInParts(deps, {
    name: "expiry",
    async part() {
      const now = clock.now().toISOString();
      const ids = await listExpired(db, now, limit);
      await runBatch(db, ids.length > 0 ? markExpired(db, ids, now) : []);
      return ids.length === limit;
    },
    pauses: 1,
    workerParts: WORKER_PARTS,
  });
}

/** Notifies recipients whose link expires within two days, unless the envelope was sent only recently. */
export async function announceExpiry({ db, clock, takeTurn, runLimits }: Dependencies): Promise<void> {
  const time = clock.now().getTime();
  const limit = runLimits ? ANNOUNCED_BY_WORKER : ANNOUNCED_AT_ONCE;
  const period = { now: iso(time), endingBy: iso(time + EXPIRY_NOTICE_MS), sentBefore: iso(time - DAY_MS) };
  let page: Awaited<ReturnType<typeof listEndingEnvelopes>> = [];
  do {
    await takeTurn?.();
    page = await listEndingEnvelopes(db, period, { after: page.at(-1), limit });
    if (page.length > 0) await runBatch(db, queueExpiringNotices(db, page, period));
  } while (page.length === limit);
}

/** The shares of the messages a day at which the administrators are told. */
const TOLD_AT = [0.95, 0.5];

/** Logs, and tells the administrators, that half or nearly all of the messages a day to recipients are sent. */
export async function reportSendingLimits(deps: Dependencies): Promise<void> {
  const { db, config, clock, log, rateLimiter } = deps;
  const now = iso(clock.now().getTime());
  for (const rule of Object.values(sendingRules(config).messagesOfAll)) {
    if (rule.limit === 0) continue;
    const counter = await findRateLimit(db, `${rule.name}:all`, now);
    const share = counter && TOLD_AT.find((least) => counter.count >= least * rule.limit);
    if (!counter || share === undefined) continue;
    const { allowed } = await rateLimiter.hit(RATE_RULES.sendingLimitNotices, `${rule.name}:${share}`);
    if (!allowed) continue;
    const payload = { sent: counter.count, limit: rule.limit };
    log.warn("messages of a day", { rule: rule.name, ...payload });
    const administrators = await listPossibleAdministrators(db, config.adminEmails);
    await runBatch(
      db,
      administrators
        .filter((user) => isAdministrator(config, user))
        .map(({ id }) => queueAccountMail(db, "sending_limit", { userId: id, createdAt: now, payload })),
    );
  }
}

/** Notifies each account, once an hour, of the messages to its recipients that failed before this hour began. */
export async function reportUndelivered({ db, clock, takeTurn }: Dependencies): Promise<void> {
  const now = clock.now().getTime();
  const hourStart = Math.floor(now / HOUR_MS) * HOUR_MS;
  const period = { since: iso(hourStart - STORED_MS), until: iso(hourStart) };
  const accounts = await findUndelivered(db, period, takeTurn);
  await queueUndeliveredNotices(db, accounts, { ...period, now: iso(now), takeTurn });
}
