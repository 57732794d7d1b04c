import type { Variables } from "../../config";
import type { SmsSender } from "../../ports/sms-sender";
import { postToGateway } from "./http-gateway";

type Account = { accountSid: string; authToken: string; url: string };
type TwilioOptions = Account & { from: string };

const VERIFY_MS = 15_000;

/** Sends text messages through Twilio's HTTP API, or a compatible one at `url`. */
export function createTwilioSmsSender({ from, ...account }: TwilioOptions): SmsSender {
  const endpoint = `${pathOf(account)}/Messages.json`;
  return {
    async send(sms) {
      await postToGateway("The SMS gateway", endpoint, {
        headers: {
          ...signIn(account),
          "Content-Type": "application/x-www-form-urlencoded",
        },
        body: new URLSearchParams({ To: sms.to, From: from, Body: sms.text }).toString(),
      });
    },
  };
}

/** The sender of the configured account, if it is complete. */
export function configuredSmsSender(variables: Variables): SmsSender | undefined {
  const { TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN, TWILIO_FROM, TWILIO_API_URL } = variables;
  if (!TWILIO_ACCOUNT_SID || !TWILIO_AUTH_TOKEN || !TWILIO_FROM) return undefined;
  return createTwilioSmsSender({
    accountSid: TWILIO_ACCOUNT_SID,
    authToken: TWILIO_AUTH_TOKEN,
    from: TWILIO_FROM,
    url: TWILIO_API_URL,
  });
}

/** Reads the account without sending anything. @throws if the gateway is unreachable or does not know the account */
export async function verifyTwilioAccount(account: Account): Promise<void> {
  const response = await fetch(`${pathOf(account)}.json`, {
    headers: signIn(account),
    redirect: "manual",
    signal: AbortSignal.timeout(VERIFY_MS),
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`The SMS gateway answered ${response.status}`);
}

const pathOf = ({ accountSid, url }: Account) =>
  `${url.replace(/\/+$/, "")}/2010-04-01/Accounts/${encodeURIComponent(accountSid)}`;

const signIn = ({ accountSid, authToken }: Account) => ({
  Authorization: `Basic ${btoa(`${accountSid}:${authToken}`)}`,
});
