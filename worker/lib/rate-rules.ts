import type { AppConfig } from "../config";
import { type AppError, appError } from "../errors";
import type { RateLimiter, RateRule, RateVerdict } from "../ports/rate-limiter";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export const RATE_RULES = {
  failedSignIns: { name: "sign-in", limit: 10, seconds: 15 * MINUTE },
  /** Many users may share one address; an attacker with a list of passwords needs more attempts than this. */
  failedSignInsFromAddress: { name: "sign-in-address", limit: 100, seconds: 15 * MINUTE },
  wrongPasswords: { name: "password", limit: 10, seconds: 15 * MINUTE },
  exports: { name: "export", limit: 5, seconds: HOUR },
  registrations: { name: "register", limit: 60, seconds: HOUR },
  mailsToAddress: { name: "mail", limit: 5, seconds: HOUR },
  /** A separate rule: sending verification mails to a stranger must not block the stranger's resets. */
  resetMails: { name: "reset-mail", limit: 5, seconds: HOUR },
  /** Changes away from one address: each notifies it. */
  emailChanges: { name: "email-change", limit: 10, seconds: HOUR },
  /** By one account: each sends a mail to an address that the account chooses. */
  emailChangesOfAccount: { name: "email-change-account", limit: 10, seconds: HOUR },
  resetsFromAddress: { name: "reset-address", limit: 30, seconds: HOUR },
  supportMessages: { name: "support", limit: 10, seconds: HOUR },
  linkReads: { name: "link-read", limit: 600, seconds: HOUR },
  openings: { name: "opening", limit: 600, seconds: HOUR },
  /** For each API token. */
  tokenCalls: { name: "token", limit: 600, seconds: MINUTE },
  /** Tests, and deliveries that are sent again. */
  webhookTries: { name: "webhook-try", limit: 300, seconds: HOUR },
  /** Uploads that are created. */
  uploads: { name: "upload", limit: 2000, seconds: HOUR },
  /** Chunks of uploads: a file of 5 GB has 640 of the usual size. Quotas limit how much is stored. */
  uploadPieces: { name: "upload-piece", limit: 20_000, seconds: HOUR },
  submissions: { name: "submission", limit: 60, seconds: HOUR },
} as const satisfies Record<string, RateRule>;

/** Counted in memory: a write for each call would cost more than the call itself. */
export const RULES_IN_MEMORY = [
  RATE_RULES.linkReads.name,
  RATE_RULES.tokenCalls.name,
  RATE_RULES.uploadPieces.name,
];

/** @throws AppError `rate_limited` unless the verdict allows the attempt */
export function requireAllowed(verdict: RateVerdict): void {
  if (!verdict.allowed) throw appError("rate_limited", { retryAfterSeconds: verdict.retryAfterSeconds });
}

/** The rules for what an account sends to recipients. The operator may configure their limits. */
export function sendingRules(config: AppConfig) {
  return {
    messagesToRecipient: { name: "recipient", limit: config.recipientMessagesPerHour, seconds: HOUR },
    invitations: { name: "invitation", limit: config.newAccountInvitationsPerDay, seconds: DAY },
    /** For the whole account: nobody waits this long for a new window. */
    unverifiedEnvelopes: { name: "unverified", limit: config.unverifiedEnvelopes, seconds: 3650 * DAY },
  } as const satisfies Record<string, RateRule>;
}

/** One attempt of `subject`, and the error to throw if it exceeds the rule. */
export type Hit = { rule: RateRule; subject: string; exceeded: (retryAfterSeconds: number) => AppError };

/** Counts all of the attempts, or none if one exceeds its rule. @throws AppError of that one */
export async function countAll(limiter: RateLimiter, hits: readonly Hit[]): Promise<void> {
  for (const [index, { rule, subject, exceeded }] of hits.entries()) {
    const verdict = await limiter.hit(rule, subject);
    if (verdict.allowed) continue;
    for (const hit of hits.slice(0, index + 1)) await limiter.refund(hit.rule, hit.subject);
    throw exceeded(verdict.retryAfterSeconds);
  }
}
