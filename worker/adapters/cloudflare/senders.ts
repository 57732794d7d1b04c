import type { Variables } from "../../config";
import type { Mailer } from "../../ports/mailer";
import type { SmsSender } from "../../ports/sms-sender";
import { createResendMailer } from "../shared/resend-mailer";
import { createTwilioSmsSender } from "../shared/twilio-sms-sender";
import type { Bindings } from "./bindings";
import { createSendEmailMailer } from "./send-email-mailer";
import { unsetMailer, unsetSmsSender } from "./unconfigured-senders";

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
