import type { SmsSender } from "../../ports/sms-sender";
import { postToGateway } from "./http-gateway";

type TwilioOptions = { accountSid: string; authToken: string; from: string; url: string };

/** Sends text messages through Twilio's HTTP interface, or one that speaks the same at another `url`. */
export function createTwilioSmsSender({ accountSid, authToken, from, url }: TwilioOptions): SmsSender {
  const endpoint = `${url.replace(/\/+$/, "")}/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Messages.json`;
  return {
    async send(sms) {
      await postToGateway("The SMS gateway", endpoint, {
        headers: {
          Authorization: `Basic ${btoa(`${accountSid}:${authToken}`)}`,
          "Content-Type": "application/x-www-form-urlencoded",
        },
        body: new URLSearchParams({ To: sms.to, From: from, Body: sms.text }).toString(),
      });
    },
  };
}
