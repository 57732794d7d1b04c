import type { Variables } from "../../config";
import { DeliveryError, type Mailer } from "../../ports/mailer";
import type { SmsSender } from "../../ports/sms-sender";
import { createResendMailer } from "../shared/resend-mailer";
import { createTwilioSmsSender } from "../shared/twilio-sms-sender";
import type { Bindings } from "./bindings";
import { createSendEmailMailer } from "./send-email-mailer";

/** Mail through Resend if it has a key, otherwise through the binding; text messages through Twilio. */
export function openSenders(
  variables: Variables,
  { MAIL }: Pick<Bindings, "MAIL">,
): { mailer: Mailer; smsSender: SmsSender } {
  const { RESEND_API_KEY, RESEND_API_URL, TWILIO_API_URL } = variables;
  const { TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN, TWILIO_FROM } = variables;
  return {
    mailer: RESEND_API_KEY
      ? createResendMailer({ apiKey: RESEND_API_KEY, url: RESEND_API_URL })
      : MAIL
        ? createSendEmailMailer(MAIL)
        : unsetMailer,
    smsSender:
      TWILIO_ACCOUNT_SID && TWILIO_AUTH_TOKEN && TWILIO_FROM
        ? createTwilioSmsSender({
            accountSid: TWILIO_ACCOUNT_SID,
            authToken: TWILIO_AUTH_TOKEN,
            from: TWILIO_FROM,
            url: TWILIO_API_URL,
          })
        : unsetSmsSender,
  };
}

/** Reported as an outage, so that messages of the last two days are sent once the setting exists. */
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
