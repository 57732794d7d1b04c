import type { AppConfig } from "../config";
import { type AppError, appError } from "../errors";
import type { RateLimiter, RateRule, RateVerdict } from "../ports/rate-limiter";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export const RATE_RULES = {
  failedSignIns: { name: "sign-in", limit: 10, seconds: 15 * MINUTE },
  /** Many people may share one address; an attacker with a list of passwords needs more attempts than this. */
  failedSignInsFromAddress: { name: "sign-in-address", limit: 100, seconds: 15 * MINUTE },
  wrongPasswords: { name: "password", limit: 10, seconds: 15 * MINUTE },
  exports: { name: "export", limit: 5, seconds: HOUR },
  registrations: { name: "register", limit: 60, seconds: HOUR },
  mailsToAddress: { name: "mail", limit: 5, seconds: HOUR },
  /** Apart from the mails above: whoever has those sent to a stranger must not keep their resets from them. */
  resetMails: { name: "reset-mail", limit: 5, seconds: HOUR },
  /** Away from one address: each is told to it. */
  emailChanges: { name: "email-change", limit: 10, seconds: HOUR },
  resetsFromAddress: { name: "reset-address", limit: 30, seconds: HOUR },
  supportMessages: { name: "support", limit: 10, seconds: HOUR },
  linkReads: { name: "link-read", limit: 600, seconds: HOUR },
  openings: { name: "opening", limit: 600, seconds: HOUR },
  /** For each API token. */
  tokenCalls: { name: "token", limit: 600, seconds: MINUTE },
  /** Tests, and messages that are sent again. */
  webhookTries: { name: "webhook-try", limit: 300, seconds: HOUR },
  /** Uploads that are begun. */
  uploads: { name: "upload", limit: 2000, seconds: HOUR },
  /** Pieces of uploads: a file of 5 GB is 640 of the usual size. What they may store is limited by quotas. */
  uploadPieces: { name: "upload-piece", limit: 20_000, seconds: HOUR },
  submissions: { name: "submission", limit: 60, seconds: HOUR },
} as const satisfies Record<string, RateRule>;

/** Counted in memory: a write for each call would cost more than the call. */
export const RULES_IN_MEMORY = [
  RATE_RULES.linkReads.name,
  RATE_RULES.tokenCalls.name,
  RATE_RULES.uploadPieces.name,
];

/** @throws AppError `rate_limited` unless the verdict allows the attempt */
export function requireAllowed(verdict: RateVerdict): void {
  if (!verdict.allowed) throw appError("rate_limited", { retryAfterSeconds: verdict.retryAfterSeconds });
}

/** The rules of what an account sends to recipients, whose limits the operator may set. */
export function sendingRules(config: AppConfig) {
  return {
    messagesToRecipient: { name: "recipient", limit: config.recipientMessagesPerHour, seconds: HOUR },
    invitations: { name: "invitation", limit: config.newAccountInvitationsPerDay, seconds: DAY },
    /** In all: no account waits this long for its count to begin again. */
    unverifiedEnvelopes: { name: "unverified", limit: config.unverifiedEnvelopes, seconds: 3650 * DAY },
  } as const satisfies Record<string, RateRule>;
}

/** One try of `subject`, and what to throw where it is one too many. */
export type Hit = { rule: RateRule; subject: string; refuse: (retryAfterSeconds: number) => AppError };

/** Counts all of the tries, or none of them where one is refused. @throws AppError of the refused one */
export async function countAll(limiter: RateLimiter, hits: readonly Hit[]): Promise<void> {
  for (const [index, { rule, subject, refuse }] of hits.entries()) {
    const verdict = await limiter.hit(rule, subject);
    if (verdict.allowed) continue;
    for (const hit of hits.slice(0, index + 1)) await limiter.refund(hit.rule, hit.subject);
    throw refuse(verdict.retryAfterSeconds);
  }
}
