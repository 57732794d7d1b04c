import type { User } from "../../../db/queries/users";
import type { DestinationProblem } from "../../contract/destinations";
import type { NotificationKind, PayloadOf } from "../../contract/notifications";
import { INVITATION_DAYS, PROVIDER_NAMES, RECENT_MINUTES } from "../../contract/options";
import { WEBHOOK_FAILING_DAYS } from "../../contract/webhooks";
import {
  longDayIn,
  longTime,
  oneLine,
  requestorLine,
  requestorName,
  senderName,
  severalLines,
  unlinked,
  workspaceName,
} from "./formats";
import { button, introduction, type MailContent, type MailContext } from "./mail-content";
import type { MailKey } from "./mail-texts";

/** The address that a mail goes to, and the operator's address for questions. */
export type AccountMail = MailContext & {
  email: string;
  support: string;
  /** Whether a new password is what ends the access of others. */
  allowsPasswords: boolean;
};
/** One whose text needs more. A message that was sent before has none of it any more. */
export type PayloadMail<Kind extends NotificationKind> = AccountMail & { payload: Partial<PayloadOf<Kind>> };

const dayOf = ({ timeZone, at, language }: AccountMail) => longDayIn(timeZone, at, language);

/** The mails with a link to confirm an address, or to choose a new password. */
export const linkMail =
  (name: "verification" | "passwordReset" | "accountCreated") =>
  (mail: AccountMail): MailContent => ({
    ...introduction(name, mail, { email: mail.email }),
    button: button(mail, `${name}.button`),
    note: mail.t(`${name}.note`),
    reason: mail.t(`${name}.reason`),
  });

/** The mail that invites somebody to create an account. */
export function accountInvitationMail(mail: PayloadMail<"account_invitation">): MailContent {
  const { t, email, link, payload } = mail;
  const inviter = payload.inviter ? oneLine(payload.inviter) : null;
  const values = { email, site: new URL(link).host, ...(inviter && { inviter }) };
  const { paragraphs, ...content } = introduction("accountInvitation", mail, values);
  const text = inviter ? [t("accountInvitation.textBy", values)] : paragraphs;
  return {
    ...content,
    ...(inviter && { subject: t("accountInvitation.subjectBy", values), preheader: text[0] ?? "" }),
    paragraphs: text,
    button: button(mail, "accountInvitation.button"),
    note: t("accountInvitation.note", { count: INVITATION_DAYS }),
    reason: t("accountInvitation.reason"),
  };
}

/** The mail that invites somebody to a workspace. */
export function workspaceInvitationMail(mail: PayloadMail<"workspace_invitation">): MailContent {
  const { t, payload } = mail;
  const { role = "viewer", workspace, inviter } = payload;
  const name = workspaceName(workspace, t);
  const names = { workspace: unlinked(name, senderName(name)), inviter: oneLine(inviter ?? "") };
  return {
    ...introduction("workspaceInvitation", mail, { ...names, role: t(`workspaceInvitation.${role}`) }),
    button: button(mail, "workspaceInvitation.button"),
    note: t("workspaceInvitation.note", { count: INVITATION_DAYS }),
    reason: t("workspaceInvitation.reason", names),
  };
}

/** What the mails about the members of a workspace have in common. */
const namesIn = ({ payload, t }: PayloadMail<"member_joined">) => ({
  workspace: workspaceName(payload.workspace, t),
  name: oneLine(payload.name ?? ""),
});
const toMember = (mail: AccountMail) => ({
  button: button(mail, "memberJoined.button"),
  reason: mail.t("memberJoined.reason", { email: mail.email }),
});

/** The mails about members of a workspace: to who invited them, to who was removed, and to who became an owner. */
export const memberMail =
  (name: "memberJoined" | "memberRemoved" | "madeOwner") =>
  (mail: PayloadMail<"member_joined">): MailContent => ({
    ...introduction(name, mail, namesIn(mail)),
    ...toMember(mail),
  });

/** The mails to an owner who was removed or demoted, or lost the role by themselves, with the link that undoes it. */
export const ownerLostMail =
  (name: "ownerRemoved" | "ownerDemoted") =>
  (mail: PayloadMail<"owner_demoted">): MailContent => {
    const names = namesIn(mail);
    const what = names.name ? name : "ownerLeft";
    const undo = names.name ? "ownerRemoved.undo" : "ownerLeft.undo";
    return {
      ...introduction(what, mail, names, mail.t(undo, names)),
      ...toMember(mail),
      button: button(mail, "emailChanged.button"),
      note: mail.t("emailChanged.note", { support: mail.support }),
    };
  };

/** The mail to somebody who was removed from a workspace. */
export const memberRemovedMail = (mail: PayloadMail<"member_removed">): MailContent =>
  (mail.payload.token ? ownerLostMail("ownerRemoved") : memberMail("memberRemoved"))(mail);

/** The mail to the other owners about one who is an owner again, by the link in the mail about the removal. */
export function ownerRestoredMail(mail: PayloadMail<"owner_restored">): MailContent {
  const actor = oneLine(mail.payload.actor ?? "");
  const more = [
    ...(actor ? [mail.t("ownerRestored.removed", { actor })] : []),
    mail.t("ownerRestored.check"),
  ];
  return { ...introduction("ownerRestored", mail, namesIn(mail), ...more), ...toMember(mail) };
}

/** The mail to the other owners of a workspace that was deleted. */
export const workspaceDeletedMail = (mail: PayloadMail<"workspace_deleted">): MailContent => ({
  ...introduction(
    "workspaceDeleted",
    mail,
    namesIn(mail),
    mail.t("workspaceDeleted.otherwise", { support: mail.support }),
  ),
  ...toMember(mail),
});

/** The mail to an administrator about how many of the messages a day are used up. */
export const sendingLimitMail = (mail: PayloadMail<"sending_limit">): MailContent => ({
  ...introduction("sendingLimit", mail, { sent: mail.payload.sent ?? 0, limit: mail.payload.limit ?? 0 }),
  button: button(mail, "sendingLimit.button"),
  reason: mail.t("sendingLimit.reason"),
});

/** The mails to administrators that something is wrong, or no longer. */
export const alertMail =
  (name: "alert" | "alertOver") =>
  (mail: PayloadMail<"alert">): MailContent => {
    const { t, timeZone, language, payload } = mail;
    const { cause = "server_failed", since = mail.at } = payload;
    // Only the hour is recorded, and a time of day would look exact.
    const date = longDayIn(timeZone, since, language);
    const values = { problem: t(`alert.problems.${cause}`), advice: t(`alert.advice.${cause}`), date };
    return {
      ...introduction(name, mail, values),
      button: button(mail, "sendingLimit.button"),
      reason: t("sendingLimit.reason"),
    };
  };

/** The mail with the code by which somebody who is signed in confirms that it is them. */
export function confirmationCodeMail(mail: PayloadMail<"confirmation_code">): MailContent {
  const { t, email, payload } = mail;
  const code = payload.code ?? "";
  return {
    ...introduction("confirmationCode", mail, { email, code }),
    facts: [{ label: t("confirmationCode.code"), value: code }],
    note: t("confirmationCode.note", { count: RECENT_MINUTES }),
    reason: t("confirmationCode.reason"),
  };
}

/** What the mails about access to the account end with. */
const ofAccess = (mail: AccountMail, name: "providerLinked" | "passwordChanged" | "newSignIn") => ({
  button: button(mail, `${name}.button`),
  reason: mail.t("passwordChanged.reason"),
});

/** The mails about a changed password, and about what the operator has done for the owner of an account. */
export const accessMail =
  (name: "passwordChanged" | "signInLinkMade" | "twoFactorReset") =>
  (mail: AccountMail): MailContent => ({
    ...introduction(name, mail, { email: mail.email, support: mail.support, date: dayOf(mail) }),
    ...ofAccess(mail, name === "passwordChanged" ? name : "providerLinked"),
  });

/** What to do if it was somebody else. */
const otherwise = ({ t, support, allowsPasswords }: AccountMail, text: MailKey): string =>
  t(allowsPasswords ? text : "withoutPasswords.otherwise", { support });

/** The mail about a sign-in from a browser in which the account has not been used before. */
export function newSignInMail(mail: PayloadMail<"new_sign_in">): MailContent {
  const { t, email, payload, timeZone, at, language } = mail;
  const { browser, system, address = "" } = payload;
  const device =
    browser && system
      ? t("newSignIn.device", { browser, system })
      : browser || system || t("newSignIn.unknown");
  return {
    ...introduction("newSignIn", mail, { email, device }, otherwise(mail, "newSignIn.otherwise")),
    facts: [
      { label: t("newSignIn.browser"), value: device },
      { label: t("newSignIn.address"), value: address },
      { label: t("newSignIn.time"), value: longTime(timeZone, at, language) },
    ],
    ...ofAccess(mail, "newSignIn"),
  };
}

/**
 * The mail to the address that is replaced, at once or, if the payload has `pending`, once the new one is confirmed. It
 * does not name the new one: its reader may not be the owner.
 */
export function emailChangedMail(mail: PayloadMail<"email_changed">): MailContent {
  const { t, email, support, allowsPasswords, payload } = mail;
  const what = payload.pending === undefined ? "emailChanged" : "emailChanging";
  const revertible = Boolean(payload.token);
  const undo = allowsPasswords ? "emailChanged.revert" : "withoutPasswords.revert";
  const next = t(revertible ? undo : "emailChanged.write", { support });
  return {
    ...introduction(what, mail, { email, date: dayOf(mail) }, next),
    ...(revertible && {
      button: button(mail, "emailChanged.button"),
      note: t("emailChanged.note", { support }),
    }),
    reason: t("emailChanged.reason"),
  };
}

/** The mail to an address that an account has entered and not confirmed: its owner asked for a new password. */
export function emailClaimedMail(mail: AccountMail): MailContent {
  const { t, email } = mail;
  return {
    ...introduction("emailClaimed", mail, { email }, t("emailClaimed.own"), t("emailClaimed.remove")),
    button: button(mail, "emailClaimed.button"),
    note: t("emailClaimed.note"),
    reason: t("emailClaimed.reason"),
  };
}

/** The mail to an account whose new address was removed before it was confirmed. */
export function emailReleasedMail(mail: PayloadMail<"email_released">): MailContent {
  const { t, email, support, payload } = mail;
  const address = payload.address ?? "";
  return {
    ...introduction("emailReleased", mail, { email, address }, t("emailReleased.otherwise", { support })),
    ...ofAccess(mail, "providerLinked"),
  };
}

/** The mails about the account's second factors and passkeys. */
export const factorMail =
  (name: "factorAdded" | "factorRemoved" | "recoveryCodesRenewed" | "recoveryCodeUsed") =>
  (mail: PayloadMail<"factor_added">): MailContent => {
    const { t, email, payload } = mail;
    const factor = payload.factor ? t(`factors.${payload.factor}`) : "";
    const values = { email, factor, date: dayOf(mail) };
    return {
      ...introduction(name, mail, values, otherwise(mail, `${name}.otherwise`)),
      ...ofAccess(mail, "newSignIn"),
    };
  };

/** The mails that notify an account of a sign-in provider that was linked or unlinked. */
export const providerMail =
  (name: "providerLinked" | "providerUnlinked") =>
  (mail: PayloadMail<"provider_linked">): MailContent => {
    const { t, email, support, payload } = mail;
    const provider = oneLine(payload.name ?? (payload.provider ? PROVIDER_NAMES[payload.provider] : ""));
    const values = { email, provider, date: dayOf(mail) };
    return {
      ...introduction(name, mail, values, t(`${name}.otherwise`, { provider, support })),
      ...ofAccess(mail, "providerLinked"),
    };
  };

/** The mail that reports a webhook that was switched off after days without a successful delivery. */
export function webhookOffMail(mail: PayloadMail<"webhook_off">): MailContent {
  const { t, email, payload } = mail;
  const values = { host: payload.host ?? "", days: WEBHOOK_FAILING_DAYS };
  return {
    ...introduction("webhookOff", mail, values, t("webhookOff.next")),
    button: button(mail, "webhookOff.button"),
    reason: t("webhookOff.reason", { email }),
  };
}

/** The mail that webhooks were switched off because of somebody who does not own their workspace any more. */
export function webhooksOffMail(mail: PayloadMail<"webhooks_off">): MailContent {
  const names = namesIn(mail);
  return {
    ...introduction("webhooksOff", mail, names, mail.t("webhooksOff.next", names)),
    ...toMember(mail),
    button: button(mail, "webhookOff.button"),
  };
}

const DESTINATION_MAILS = {
  reconnect: "destinationReconnect",
  full: "destinationFull",
  paused: "destinationPaused",
  failed: "destinationFailed",
} as const satisfies Record<DestinationProblem, string>;

/** The mail that files are not delivered. */
export function destinationProblemMail(mail: PayloadMail<"destination_problem">): MailContent {
  const { t, email, payload } = mail;
  const { problem = "failed", text } = payload;
  const values = { workspace: workspaceName(payload.workspace, t), name: oneLine(payload.name ?? "") };
  return {
    ...introduction(
      DESTINATION_MAILS[problem],
      mail,
      values,
      ...(text ? [t("destinationFailed.said", { text: oneLine(text) })] : []),
    ),
    button: button(mail, "webhookOff.button"),
    reason: t("memberJoined.reason", { email }),
  };
}

/** The last mail to an account. */
export function accountDeletedMail(mail: AccountMail): MailContent {
  const { t, email, support } = mail;
  const values = { email, date: dayOf(mail) };
  return {
    ...introduction("accountDeleted", mail, values, t("accountDeleted.otherwise", { support })),
    reason: t("accountDeleted.reason"),
  };
}

/** The help chat's message for the operator. */
export function supportMail(mail: PayloadMail<"support">, user: User | undefined): MailContent {
  if (!user) throw new Error("The account no longer exists");
  const { t, payload } = mail;
  const name = requestorName(user);
  const text = severalLines(payload.message ?? "");
  return {
    ...introduction("support", mail, { name }),
    preheader: text.slice(0, 140),
    quote: { title: t("messageFrom", { name }), text },
    facts: [{ label: t("facts.account"), value: `${requestorLine(user)} · ${user.id}` }],
    reason: t("support.reason"),
  };
}
