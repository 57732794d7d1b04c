import { DeliveryError, type Mailer } from "../../ports/mailer";
import type { SmsSender } from "../../ports/sms-sender";

/** Told as an outage: what was queued before the setting was made goes out after it. */
const unset = (setting: string) => async () => {
  throw new DeliveryError(`Nothing is configured to send this: set ${setting}`, {
    permanent: false,
    outage: true,
    unset: true,
  });
};

/** Stands where no mail can be sent: the notification keeps the reason. */
export const unsetMailer: Mailer = {
  localOnly: true,
  send: unset("RESEND_API_KEY, or bind MAIL (see README)"),
};

/** Stands where no text message can be sent: the notification keeps the reason. */
export const unsetSmsSender: SmsSender = {
  send: unset("TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN and TWILIO_FROM"),
};
