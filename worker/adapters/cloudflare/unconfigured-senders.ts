import { DeliveryError, type Mailer } from "../../ports/mailer";
import type { SmsSender } from "../../ports/sms-sender";

/** Reported as an outage, so that queued messages are sent once the setting exists. */
const unset = (setting: string) => async () => {
  throw new DeliveryError(`Sending is not configured: set ${setting}`, {
    permanent: false,
    outage: true,
    unset: true,
  });
};

/** Used if no mail can be sent: the notification stores the reason. */
export const unsetMailer: Mailer = {
  localOnly: true,
  send: unset("RESEND_API_KEY, or bind MAIL (see README)"),
};

/** Used if no text message can be sent: the notification stores the reason. */
export const unsetSmsSender: SmsSender = {
  send: unset("TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN and TWILIO_FROM"),
};
