import type { User } from "../../../db/queries/users";
import type { AppConfig } from "../../config";
import { INVITATIONS_PER_DAY } from "../../contract/members";
import { type AppError, appError } from "../../errors";
import type { RateLimiter, RateRule, RateVerdict } from "../../ports/rate-limiter";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export const RATE_RULES = {
  /** For one account from one address, so that a stranger's failures do not lock out the owner. */
  failedSignIns: { name: "sign-in", limit: 10, seconds: 15 * MINUTE },
  /** For one account from all addresses. Browsers in which the account has signed in before are exempt. */
  failedSignInsOfAccount: { name: "sign-in-account", limit: 100, seconds: 15 * MINUTE },
  /** For one account from all addresses, beyond that limit. */
  slowSignIns: { name: "sign-in-slow", limit: 1, seconds: 10 },
  /** Many users may share one address; an attacker with a list of passwords needs more attempts than this. */
  failedSignInsFromAddress: { name: "sign-in-address", limit: 100, seconds: 15 * MINUTE },
  /** From one client address. The codes of an account are limited wherever they come from, see `countCodeFailures`. */
  secondSteps: { name: "second-step", limit: 600, seconds: HOUR },
  /** Of one session, so that whoever has stolen one does not keep the owner from changing the password in another. */
  wrongPasswords: { name: "password", limit: 10, seconds: 15 * MINUTE },
  /** Codes mailed to an account that confirms who uses it. */
  confirmationMails: { name: "confirmation-mail", limit: 5, seconds: HOUR },
  /** Of one kind to one address, see the README of the notifications. */
  accountMails: { name: "account-mail", limit: 1, seconds: HOUR },
  /** Changes of its password, factors and providers by one account: each is a mail and an entry of a log. */
  accountChanges: { name: "account-change", limit: 20, seconds: HOUR },
  exports: { name: "export", limit: 5, seconds: HOUR },
  /** Any page can have a browser send these, so they have a counter of their own. */
  providerCallbacks: { name: "provider", limit: 600, seconds: HOUR },
  registrations: { name: "register", limit: 60, seconds: HOUR },
  mailsToAddress: { name: "mail", limit: 5, seconds: HOUR },
  /** A separate rule: sending verification mails to a stranger must not block the stranger's resets. */
  resetMails: { name: "reset-mail", limit: 5, seconds: HOUR },
  /** Changes away from one address: each notifies it. */
  emailChanges: { name: "email-change", limit: 10, seconds: HOUR },
  /** By one account: each sends a mail to an address that the account chooses. */
  emailChangesOfAccount: { name: "email-change-account", limit: 10, seconds: HOUR },
  resetsFromAddress: { name: "reset-address", limit: 30, seconds: HOUR },
  workspaceInvitations: { name: "workspace-invitation", limit: INVITATIONS_PER_DAY, seconds: DAY },
  /** By one account, to whichever workspaces: an account makes as many as it likes. */
  invitationsOfAccount: { name: "account-invitation", limit: 5 * INVITATIONS_PER_DAY, seconds: DAY },
  /** The same for an account whose address is not verified: names that it chooses are in the mails. */
  invitationsOfUnverified: { name: "unverified-invitation", limit: 2 * INVITATIONS_PER_DAY, seconds: DAY },
  supportMessages: { name: "support", limit: 10, seconds: HOUR },
  linkReads: { name: "link-read", limit: 600, seconds: HOUR },
  /** Challenges for passkeys from one address: every visit of the sign-in page may ask for one. */
  passkeyChallenges: { name: "passkey-challenge", limit: 600, seconds: HOUR },
  unsubscribes: { name: "unsubscribe", limit: 600, seconds: HOUR },
  openings: { name: "opening", limit: 600, seconds: HOUR },
  /** For each API token. */
  tokenCalls: { name: "token", limit: 600, seconds: MINUTE },
  /** Changes by each account, with or without a token: rows take space too. */
  changes: { name: "change", limit: 600, seconds: MINUTE },
  /** Reads by each account, with or without a token. On Workers, Cloudflare's counter allows 600. */
  reads: { name: "read", limit: 3000, seconds: MINUTE },
  /** Those that take others' time: whole lists, searches, archives and exports. One token makes no more calls. */
  heavyReads: { name: "heavy-read", limit: 600, seconds: MINUTE },
  /** Changes of an account's time zone: each looks at all that it has planned. */
  timeZones: { name: "time-zone", limit: 30, seconds: HOUR },
  /** Tests, deliveries that are sent again, and counts of what a destination has not got, which read all envelopes. */
  webhookTries: { name: "webhook-try", limit: 300, seconds: HOUR },
  /** Uploads that are created. */
  uploads: { name: "upload", limit: 2000, seconds: HOUR },
  /** Chunks of uploads: a file of 5 GB has 640 of the usual size. Quotas limit how much is stored. */
  uploadChunks: { name: "upload-chunk", limit: 20_000, seconds: HOUR },
  /** From one client address. */
  linkMessages: { name: "link-message-address", limit: 60, seconds: HOUR },
  /** For each link: each is a mail to the requestor. */
  messagesOfLink: { name: "link-message", limit: 10, seconds: DAY },
  /** For each link, whether the answers are accepted or not. */
  answersOfLink: { name: "answer", limit: 600, seconds: HOUR },
  /** From one client address, such as that of an office. */
  answers: { name: "answer-address", limit: 6000, seconds: HOUR },
  submissions: { name: "submission", limit: 60, seconds: HOUR },
  /** To the administrators, about each share of the messages a day. */
  sendingLimitNotices: { name: "sending-limit", limit: 1, seconds: DAY },
} as const satisfies Record<string, RateRule>;

/** Counted in memory: a write for each call would cost more than the call itself. */
export const RULES_IN_MEMORY = [
  RATE_RULES.linkReads.name,
  RATE_RULES.answersOfLink.name,
  RATE_RULES.answers.name,
  RATE_RULES.passkeyChallenges.name,
  RATE_RULES.tokenCalls.name,
  RATE_RULES.changes.name,
  RATE_RULES.reads.name,
  RATE_RULES.heavyReads.name,
  RATE_RULES.uploadChunks.name,
];

/** Whose counters those of an address are: without case, and the "+tag" that most mail servers ignore. */
export function mailboxOf(address: string): string {
  const at = address.lastIndexOf("@");
  const [mailbox = ""] = address.slice(0, at).split("+");
  return `${mailbox}${address.slice(at)}`.toLowerCase();
}

/** Whose counters those of mails to a user's own address are: nobody else uses up those of a verified one. */
export const ownMailbox = ({ id, email, isVerified }: Pick<User, "id" | "email" | "isVerified">): string =>
  isVerified ? String(id) : mailboxOf(email);

/** @throws AppError `rate_limited` unless the verdict allows the attempt */
export function requireAllowed(verdict: RateVerdict): void {
  if (!verdict.allowed) throw appError("rate_limited", { retryAfterSeconds: verdict.retryAfterSeconds });
}

/** How many accounts can send one recipient as much as they are allowed to. */
const SENDERS = 3;

/** The rules for what an account sends to recipients. The operator may configure their limits. */
export function sendingRules(config: AppConfig) {
  const {
    recipientMessagesPerHour: perHour,
    messagesPerDay: { email, sms },
  } = config;
  return {
    messagesToRecipient: { name: "recipient", limit: perHour, seconds: HOUR },
    messagesFromAll: { name: "recipient-all", limit: SENDERS * perHour, seconds: HOUR },
    /** Of one account, so that a few cannot use up what all have. */
    textMessages: {
      name: "sms",
      limit: Math.min(config.textMessagesPerDay, shareOf(sms)),
      seconds: DAY,
    },
    /** Of all new accounts together: anybody makes several. */
    messagesOfNew: {
      email: { name: "mails-new", limit: Math.ceil(email / 2), seconds: DAY },
      sms: { name: "sms-new", limit: shareOf(sms), seconds: DAY },
    },
    mails: { name: "mails", limit: shareOf(email), seconds: DAY },
    messagesOfAll: {
      email: { name: "mails-all", limit: email, seconds: DAY },
      sms: { name: "sms-all", limit: sms, seconds: DAY },
    },
    invitations: { name: "invitation", limit: config.newAccountInvitationsPerDay, seconds: DAY },
    /** For the whole account: nobody waits this long for a new window. */
    unverifiedEnvelopes: { name: "unverified", limit: config.unverifiedEnvelopes, seconds: 3650 * DAY },
  } as const;
}

/** What one account may use of the messages a day of all. */
const shareOf = (limit: number) => Math.ceil(limit / 4);

/** Whether the account is so young that nothing is known of whoever made it. */
export const isNewAccount = ({ createdAt }: { createdAt: string }, now: Date): boolean =>
  now.getTime() - Date.parse(createdAt) < 7 * DAY * 1000;

/** One attempt of `subject`, and the error to throw if it exceeds the rule. */
export type Hit = { rule: RateRule; subject: string; exceeded: (retryAfterSeconds: number) => AppError };

/** Counts all of the attempts, or none if one exceeds its rule. @returns its error; null if all are allowed */
export async function hitAll(limiter: RateLimiter, hits: readonly Hit[]): Promise<AppError | null> {
  const verdicts = await limiter.hitAll(hits);
  for (const [index, { exceeded }] of hits.entries()) {
    const verdict = verdicts[index];
    if (!verdict || verdict.allowed) continue;
    await limiter.refundAll(hits);
    return exceeded(verdict.retryAfterSeconds);
  }
  return null;
}

type Limit = {
  rule: RateRule;
  subject: string;
  /** The rule for attempts beyond the limit; null allows them. By default they are rejected. */
  beyond?: RateRule | null;
};

/**
 * Makes an attempt that may fail, and limits failures per subject by each rule. The attempt is counted before it
 * begins, so that concurrent attempts count as well; the count is refunded if the attempt succeeds, is rejected or is
 * never completed. The rule whose subject the client cannot choose comes first.
 * @returns the attempt's result; null if it failed
 * @throws AppError `rate_limited`
 */
export async function limitFailures<T>(
  rateLimiter: RateLimiter,
  limits: readonly Limit[],
  attempt: () => Promise<T | null>,
): Promise<T | null> {
  const hits: Limit[] = [];
  let failed = false;
  try {
    // One after the other: an attempt that the first rule rejects stores no counter for a subject the client made up.
    for (const limit of limits) {
      hits.push(limit);
      await countAttempt(rateLimiter, limit);
    }
    const found = await attempt();
    failed = found === null;
    return found;
  } finally {
    if (!failed) await rateLimiter.refundAll(hits);
  }
}

/**
 * Changes an account's password, factors or providers. What is rejected is not counted: it would keep the owner from it.
 * @throws AppError `rate_limited`
 */
export async function limitChanges<T>(
  rateLimiter: RateLimiter,
  { id }: Pick<User, "id">,
  change: () => Promise<T>,
): Promise<T> {
  const subject = String(id);
  requireAllowed(await rateLimiter.hit(RATE_RULES.accountChanges, subject));
  try {
    return await change();
  } catch (error) {
    await rateLimiter.refund(RATE_RULES.accountChanges, subject);
    throw error;
  }
}

async function countAttempt(rateLimiter: RateLimiter, { rule, subject, beyond }: Limit): Promise<void> {
  const verdict = await rateLimiter.hit(rule, subject);
  if (verdict.allowed || beyond === null) return;
  requireAllowed(beyond ? await rateLimiter.hit(beyond, subject) : verdict);
}
