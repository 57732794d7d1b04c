import type { NotificationContext } from "../../../db/queries/notification-context";
import { INVITATION_DAYS } from "../../contract/administration";
import { WEBHOOK_FAILING_DAYS } from "../../contract/webhooks";
import { longDayIn, severalLines } from "./formats";
import type { MailContent } from "./mail-content";
import { requestorLine, requestorName } from "./mail-names";
import type { MailContext } from "./recipient-mails";

type User = NonNullable<NotificationContext["user"]>;
type Changed = { email: string; at: string; support: string };

/** The mail that asks to confirm an address. */
export function verificationMail(email: string, { t, link }: MailContext): MailContent {
  const text = t("verification.text", { email });
  return {
    subject: t("verification.subject"),
    preheader: text,
    heading: t("verification.heading"),
    paragraphs: [text],
    button: { label: t("verification.button"), url: link, hint: t("linkHint") },
    note: t("verification.note"),
    reason: t("verification.reason"),
  };
}

/** The mail that invites somebody to create an account. */
export function accountInvitationMail(email: string, { t, link }: MailContext): MailContent {
  const text = t("accountInvitation.text", { email, site: new URL(link).host });
  return {
    subject: t("accountInvitation.subject"),
    preheader: text,
    heading: t("accountInvitation.heading"),
    paragraphs: [text],
    button: { label: t("accountInvitation.button"), url: link, hint: t("linkHint") },
    note: t("accountInvitation.note", { count: INVITATION_DAYS }),
    reason: t("accountInvitation.reason"),
  };
}

/** The mail with the password reset link. */
export function passwordResetMail(email: string, { t, link }: MailContext): MailContent {
  const text = t("passwordReset.text", { email });
  return {
    subject: t("passwordReset.subject"),
    preheader: text,
    heading: t("passwordReset.heading"),
    paragraphs: [text],
    button: { label: t("passwordReset.button"), url: link, hint: t("linkHint") },
    note: t("passwordReset.note"),
    reason: t("passwordReset.reason"),
  };
}

/** The mail that reports a changed password. */
export function passwordChangedMail(
  change: Changed,
  { t, language, link, timeZone }: MailContext,
): MailContent {
  const { email, at, support } = change;
  const text = t("passwordChanged.text", { email, support, date: longDayIn(timeZone, at, language) });
  return {
    subject: t("passwordChanged.subject"),
    preheader: text,
    heading: t("passwordChanged.heading"),
    paragraphs: [text],
    button: { label: t("passwordChanged.button"), url: link, hint: t("linkHint") },
    reason: t("passwordChanged.reason"),
  };
}

/** The mail to an account's old address. It does not name the new one: its reader may not be the owner. */
export function emailChangedMail(
  change: Changed,
  { t, language, link, timeZone }: MailContext,
  { revertible }: { revertible: boolean },
): MailContent {
  const { email, at, support } = change;
  const text = t("emailChanged.text", { email, date: longDayIn(timeZone, at, language) });
  return {
    subject: t("emailChanged.subject"),
    preheader: text,
    heading: t("emailChanged.heading"),
    paragraphs: [text, revertible ? t("emailChanged.revert") : t("emailChanged.write", { support })],
    ...(revertible && {
      button: { label: t("emailChanged.button"), url: link, hint: t("linkHint") },
      note: t("emailChanged.note", { support }),
    }),
    reason: t("emailChanged.reason"),
  };
}

/** The mail that notifies an account of a newly linked sign-in provider. */
export function providerLinkedMail(
  change: Changed & { provider: string },
  { t, language, link, timeZone }: MailContext,
): MailContent {
  const { email, at, support, provider } = change;
  const text = t("providerLinked.text", { email, provider, date: longDayIn(timeZone, at, language) });
  return {
    subject: t("providerLinked.subject", { provider }),
    preheader: text,
    heading: t("providerLinked.heading", { provider }),
    paragraphs: [text, t("providerLinked.otherwise", { provider, support })],
    button: { label: t("providerLinked.button"), url: link, hint: t("linkHint") },
    reason: t("passwordChanged.reason"),
  };
}

/** The mail that reports a webhook that was switched off after days without a successful delivery. */
export function webhookOffMail(
  { email, host }: { email: string; host: string },
  { t, link }: MailContext,
): MailContent {
  const text = t("webhookOff.text", { host, days: WEBHOOK_FAILING_DAYS });
  return {
    subject: t("webhookOff.subject", { host }),
    preheader: text,
    heading: t("webhookOff.heading"),
    paragraphs: [text, t("webhookOff.next")],
    button: { label: t("webhookOff.button"), url: link, hint: t("linkHint") },
    reason: t("webhookOff.reason", { email }),
  };
}

/** The last mail to an account. */
export function accountDeletedMail(change: Changed, { t, language, timeZone }: MailContext): MailContent {
  const { email, at, support } = change;
  const text = t("accountDeleted.text", { email, date: longDayIn(timeZone, at, language) });
  return {
    subject: t("accountDeleted.subject"),
    preheader: text,
    heading: t("accountDeleted.heading"),
    paragraphs: [text, t("accountDeleted.otherwise", { support })],
    reason: t("accountDeleted.reason"),
  };
}

/** The help chat's message for the operator. */
export function supportMail(user: User, message: string, { t }: MailContext): MailContent {
  const name = requestorName(user);
  const text = severalLines(message);
  return {
    subject: t("support.subject", { name }),
    preheader: text.slice(0, 140),
    heading: t("support.heading"),
    paragraphs: [t("support.text", { name })],
    quote: { title: t("messageFrom", { name }), text },
    facts: [{ label: t("facts.account"), value: `${requestorLine(user)} · ${user.id}` }],
    reason: t("support.reason"),
  };
}
