import type { NotificationContext } from "../../../db/queries/notification-context";
import type { Notification } from "../../../db/queries/notifications";
import type { AppConfig } from "../../config";
import {
  type Channel,
  isForRecipient,
  type NotificationKind,
  type NotificationPayload,
  type PayloadOf,
  type RecipientKind,
  type RequestKind,
} from "../../contract/notifications";
import { INVITATION_DAYS, RECENT_MINUTES } from "../../contract/options";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../lib/durations";
import { isExpired, isOfEarlierRecipient } from "../envelope-rules/envelope-dates";
import type { PayloadMail } from "./account-mails";

type Kind<Name extends NotificationKind> = {
  /** The page that its button opens; null if it has none. */
  link:
    | ((
        notification: Pick<PayloadMail<Name>, "payload">,
        context: NotificationContext,
        config: AppConfig,
      ) => string)
    | null;
  /** Which account it needs when it is sent. */
  account: "enabled" | "any" | "none";
  /** Why it must no longer be sent, or null: between queueing and sending, what it says may have ceased to be true. */
  outdated: ((notification: Notification, context: NotificationContext, now: Date) => string | null) | null;
};
type RecipientMessage<Name extends RecipientKind> = Kind<Name> & {
  /** Whether it counts towards the limits of messages when it is sent. Those that a user sends count when queued. */
  counts: "always" | "if scheduled" | "never";
};
type OtherKind = Exclude<NotificationKind, RecipientKind>;
/** What has a link or a code is never merged: the earlier one may be void. */
type OtherMessage<Name extends OtherKind> = Kind<Name> &
  Gate &
  (PayloadOf<Name> extends { token: unknown } | { code: unknown } ? { repeats: "each" } : unknown);

/** What a mail to an account has to pass, see README.md. */
type Gate = {
  /**
   * Whether repeated mails of the kind to an address become one an hour, or each is sent because of its own contents, and
   * what queues it has a limit of its own.
   */
  repeats: "merged" | "each";
  /**
   * What an account's address needs before the mail goes to it, where mail is configured: that somebody with access to the
   * account has verified it, that anybody has, or nothing.
   */
  needs: "proved" | "verified" | "nothing";
};

/** Of a link or code for the account's address, which lives this long. */
const whileAddressed =
  (life: number): Kind<NotificationKind>["outdated"] =>
  ({ recipient, createdAt }, { user }, now) =>
    user?.email === recipient ? linkOver(createdAt, life, now) : "The account has a different address now";

/** About an envelope, a webhook or a workspace's files: limited by how many of these there are. */
const NOTICE = { repeats: "each", needs: "verified", account: "enabled", outdated: null } as const;
/** With a link or code that somebody asks for, at most a few an hour. */
const REQUESTED = { repeats: "each", needs: "nothing", account: "enabled" } as const;
/** About a change that was made before the account may have been disabled. */
const DONE = { repeats: "merged", needs: "proved", account: "any", outdated: null } as const;
const TO_PROFILE = { ...DONE, link: () => "/profile" };
const TO_FORGOT = { ...DONE, link: forgotPage };
/** By what an operator does. */
const BY_OPERATOR = { ...TO_PROFILE, needs: "nothing" } as const;
const TO_HOME = { ...NOTICE, repeats: "merged", link: () => "/" } as const;
const TO_ADMINISTRATION = { ...NOTICE, link: () => "/administration" } as const;
const TO_INTEGRATIONS = { ...NOTICE, link: () => "/integrations" } as const;
const TO_ENVELOPE = { ...NOTICE, link: envelopePage } as const;

/** A copy of one that was sent has no list any more. */
const NEWS: OtherMessage<"not_sent" | "renewed"> = {
  ...NOTICE,
  link: () => "/",
  outdated: ({ payload }, { news }) =>
    payload.news && news.length === 0 ? "The account has left the workspaces that it tells of" : null,
};

const INVITED: OtherMessage<"account_invitation" | "workspace_invitation"> = {
  ...REQUESTED,
  account: "none",
  link: withToken("invite"),
  outdated: ({ createdAt }, _, now) => linkOver(createdAt, INVITATION_DAYS * DAY_MS, now),
};

/** A message that asks the recipient for documents. */
const REQUEST: Kind<RequestKind> = {
  link: (_, { envelope }) => `/submit/${envelope?.submissionToken ?? ""}`,
  account: "enabled",
  outdated({ channel, recipient }, { envelope }, now) {
    if (!envelope) return "It no longer exists";
    if (envelope.status === "completed") return "The envelope was already completed";
    if (isExpired(envelope, now)) return "The envelope had already expired";
    return addressOn(channel, envelope) === recipient ? null : "The envelope has a different address now";
  },
};

/** What the kinds of `contract/notifications.ts` are to the server. */
export const KINDS: { [Name in OtherKind]: OtherMessage<Name> } & {
  [Name in RecipientKind]: RecipientMessage<Name>;
} = {
  invitation: { ...REQUEST, counts: "if scheduled" },
  update: { ...REQUEST, counts: "never" },
  reminder: { ...REQUEST, counts: "if scheduled" },
  returned: { ...REQUEST, counts: "never" },
  expiring: { ...REQUEST, counts: "always" },
  receipt: {
    ...{ link: null, account: "enabled", counts: "always" },
    outdated: ({ createdAt }, { envelope }) =>
      envelope && isOfEarlierRecipient(envelope, createdAt) ? "The envelope goes to somebody else" : null,
  },
  submission: TO_ENVELOPE,
  message: TO_ENVELOPE,
  expired: {
    ...TO_ENVELOPE,
    outdated: (_, { envelope }) =>
      envelope?.status === "expired" ? null : "The envelope is no longer expired",
  },
  infected: TO_ENVELOPE,
  deletion: {
    ...NOTICE,
    link: () => "/",
    outdated: (_, { dueForDeletion }) =>
      dueForDeletion.length > 0 ? null : "The files stay, or are already deleted",
  },
  undelivered: {
    ...NOTICE,
    link: undeliveredPage,
    outdated: (_, { undelivered }) => (undelivered.length > 0 ? null : "Nothing is undelivered any more"),
  },
  digest: {
    ...NOTICE,
    link: () => "/?tab=toReview",
    outdated: (_, { submitted }) => (submitted.count > 0 ? null : "Nothing of it is there any more"),
  },
  not_sent: NEWS,
  renewed: NEWS,
  webhook_off: TO_INTEGRATIONS,
  webhooks_off: TO_INTEGRATIONS,
  // Its owner can make it fail and work again without an end.
  destination_problem: { ...TO_INTEGRATIONS, repeats: "merged" },
  verification: {
    ...REQUESTED,
    link: withToken("verify"),
    outdated({ recipient, createdAt }, { user }, now) {
      const isConfirmed = user?.isVerified && user.verifiedByOwner;
      const unconfirmed = user?.pendingEmail ?? (isConfirmed ? null : user?.email);
      return recipient === unconfirmed
        ? linkOver(createdAt, 24 * HOUR_MS, now)
        : "The address is already confirmed";
    },
  },
  account_created: {
    ...REQUESTED,
    link: withToken("reset"),
    outdated: whileAddressed(INVITATION_DAYS * DAY_MS),
  },
  password_reset: {
    ...REQUESTED,
    link: withToken("reset"),
    outdated: whileAddressed(HOUR_MS),
  },
  confirmation_code: {
    ...REQUESTED,
    link: null,
    outdated: whileAddressed(RECENT_MINUTES * MINUTE_MS),
  },
  sign_in_link_made: BY_OPERATOR,
  two_factor_reset: BY_OPERATOR,
  password_changed: TO_FORGOT,
  /** Its key limits it to one a day for each browser. A limit on all of them is one that a thief could exhaust first. */
  new_sign_in: { ...TO_FORGOT, repeats: "each" },
  email_changed: { ...NOTICE, account: "any", link: withToken("revert-email") },
  factor_added: TO_FORGOT,
  factor_removed: TO_FORGOT,
  recovery_codes_renewed: TO_FORGOT,
  recovery_code_used: TO_FORGOT,
  provider_linked: TO_PROFILE,
  provider_unlinked: TO_PROFILE,
  email_claimed: {
    ...REQUESTED,
    link: withToken("release-email"),
    outdated: ({ recipient, createdAt }, { user }, now) =>
      user?.pendingEmail === recipient
        ? linkOver(createdAt, 24 * HOUR_MS, now)
        : "The account does not use the address any more",
  },
  email_released: { ...TO_HOME, link: () => "/profile" },
  account_deleted: { ...DONE, needs: "verified", link: null, account: "none" },
  account_invitation: INVITED,
  workspace_invitation: INVITED,
  member_joined: TO_HOME,
  member_removed: { ...TO_HOME, repeats: "each", link: restoreOwnerPage },
  made_owner: TO_HOME,
  owner_demoted: { ...TO_HOME, repeats: "each", link: restoreOwnerPage },
  owner_restored: TO_HOME,
  workspace_deleted: TO_HOME,
  sending_limit: TO_ADMINISTRATION,
  alert: TO_ADMINISTRATION,
  alert_over: TO_ADMINISTRATION,
  support: { ...REQUESTED, link: null, outdated: null },
};

/** Why a queued notification must no longer be sent, or null. */
export function outdatedReason(
  notification: Notification,
  context: NotificationContext,
  now: Date,
): string | null {
  const { account, outdated } = KINDS[notification.kind];
  const { user, envelope } = context;
  if (account !== "none") {
    if (!user || (notification.envelopeId !== null && !envelope)) return "It no longer exists";
    // Recipients hear of a workspace's envelopes while one of its owners is enabled.
    const goesOn = isForRecipient(notification.kind) && envelope?.hasEnabledOwner;
    if (account === "enabled" && user.disabledAt !== null && !goesOn) return "The account is disabled";
    if (context.isOutside) return "The account does not own the workspace any more";
  }
  return outdated?.(notification, context, now) ?? null;
}

/** The address of an envelope's recipient on a channel. */
export const addressOn = (
  channel: Channel,
  { customerEmail, recipientPhone }: { customerEmail: string; recipientPhone: string | null },
): string | null => ({ email: customerEmail, sms: recipientPhone })[channel];

function envelopePage(_: unknown, { envelope }: NotificationContext): string {
  return `/?envelope=${envelope?.id ?? ""}`;
}

/** The envelope, or the list, which marks them. */
function undeliveredPage(_: unknown, { undelivered: [first, second] }: NotificationContext): string {
  return first && !second ? `/?envelope=${first.envelopeId}` : "/";
}

/** Where an owner ends the access of others: with a new password or, where there are none, in the settings. */
function forgotPage(_: unknown, _context: unknown, { allowsPasswords }: AppConfig): string {
  return allowsPasswords ? "/auth?mode=forgot" : "/profile#security";
}

/** Where an owner undoes what took the role; home for who was none. */
function restoreOwnerPage({ payload: { token } }: { payload: Pick<NotificationPayload, "token"> }): string {
  return token ? `/restore-owner/${token}` : "/";
}

/** A page whose link contains the mail's token. */
function withToken(page: string) {
  return ({ payload }: { payload: Pick<NotificationPayload, "token"> }) => `/${page}/${payload.token ?? ""}`;
}

const linkOver = (since: string, life: number, now: Date) =>
  now.getTime() - Date.parse(since) >= life ? "Its link has expired" : null;
