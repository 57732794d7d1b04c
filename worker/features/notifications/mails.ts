import type { NotificationContext } from "../../../db/queries/notification-context";
import type { NotificationKind, RequestKind } from "../../contract/notifications";
import {
  type AccountMail,
  accessMail,
  accountDeletedMail,
  accountInvitationMail,
  alertMail,
  confirmationCodeMail,
  destinationProblemMail,
  emailChangedMail,
  emailClaimedMail,
  emailReleasedMail,
  factorMail,
  linkMail,
  memberMail,
  memberRemovedMail,
  newSignInMail,
  ownerLostMail,
  ownerRestoredMail,
  type PayloadMail,
  providerMail,
  sendingLimitMail,
  supportMail,
  webhookOffMail,
  webhooksOffMail,
  workspaceDeletedMail,
  workspaceInvitationMail,
} from "./account-mails";
import type { MailContent } from "./mail-content";
import { type EnvelopeContext, receiptMail, requestMail } from "./recipient-mails";
import {
  deletionMail,
  digestMail,
  expiredMail,
  infectedMail,
  messageMail,
  scheduleMail,
  submissionMail,
  undeliveredMail,
} from "./requestor-mails";

/** What the mails of each kind say. Read when a message is composed, so that calls that send nothing start without it. */
export const MAILS: {
  [Name in NotificationKind]: (mail: PayloadMail<Name>, context: NotificationContext) => MailContent;
} = {
  invitation: request("invitation"),
  update: request("update"),
  reminder: request("reminder"),
  returned: request("returned"),
  expiring: request("expiring"),
  receipt: about(receiptMail),
  submission: about(submissionMail),
  message: about(messageMail),
  expired: about(expiredMail),
  infected: about(infectedMail),
  deletion: (mail, { dueForDeletion }) => deletionMail(dueForDeletion, mail, new Date(mail.at)),
  undelivered: (mail, { undelivered }) => undeliveredMail(undelivered, mail),
  not_sent: scheduleMail("notSent"),
  renewed: scheduleMail("renewed"),
  digest: (mail, { submitted }) => digestMail(submitted, mail),
  webhook_off: webhookOffMail,
  webhooks_off: webhooksOffMail,
  destination_problem: destinationProblemMail,
  verification: linkMail("verification"),
  account_created: linkMail("accountCreated"),
  password_reset: linkMail("passwordReset"),
  confirmation_code: confirmationCodeMail,
  sign_in_link_made: accessMail("signInLinkMade"),
  two_factor_reset: accessMail("twoFactorReset"),
  password_changed: accessMail("passwordChanged"),
  new_sign_in: newSignInMail,
  email_changed: emailChangedMail,
  factor_added: factorMail("factorAdded"),
  factor_removed: factorMail("factorRemoved"),
  recovery_codes_renewed: factorMail("recoveryCodesRenewed"),
  recovery_code_used: factorMail("recoveryCodeUsed"),
  provider_linked: providerMail("providerLinked"),
  provider_unlinked: providerMail("providerUnlinked"),
  email_claimed: emailClaimedMail,
  email_released: emailReleasedMail,
  account_deleted: accountDeletedMail,
  account_invitation: accountInvitationMail,
  workspace_invitation: workspaceInvitationMail,
  member_joined: memberMail("memberJoined"),
  member_removed: memberRemovedMail,
  made_owner: memberMail("madeOwner"),
  owner_demoted: ownerLostMail("ownerDemoted"),
  owner_restored: ownerRestoredMail,
  workspace_deleted: workspaceDeletedMail,
  sending_limit: sendingLimitMail,
  alert: alertMail("alert"),
  alert_over: alertMail("alertOver"),
  support: (mail, { user }) => supportMail(mail, user),
};

/** A message that asks the recipient for documents. */
function request(kind: RequestKind) {
  return about<PayloadMail<RequestKind>>((context, mail) => requestMail(kind, context, mail));
}

/** A mail about an envelope. */
function about<Mail extends AccountMail>(write: (context: EnvelopeContext, mail: Mail) => MailContent) {
  return (mail: Mail, context: NotificationContext) => write(requireEnvelopeContext(context), mail);
}

/** @throws Error if the envelope was deleted meanwhile */
export function requireEnvelopeContext(context: NotificationContext): EnvelopeContext {
  const { envelope, user } = context;
  if (!envelope || !user) throw new Error("The envelope no longer exists");
  return { ...context, envelope, user };
}
