import type { ReceivedMail } from "../contract/mailer-suite";
import { startSmtpServer } from "../support/servers/smtp-server";

/** A real SMTP server that keeps every mail. */
export type MailSink = {
  url: string;
  mails(): Promise<ReceivedMail[]>;
  /** The token of the latest mailed link of this kind that has not been used yet. */
  tokenOf(kind: "reset" | "invite", email: string, used: ReadonlySet<string>): Promise<string | undefined>;
  close(): Promise<void>;
};

export async function startMailSink(): Promise<MailSink> {
  const smtp = await startSmtpServer();
  const received: ReceivedMail[] = [];
  const mails = async () => {
    received.push(...(await smtp.received()));
    return received;
  };
  return {
    url: smtp.url,
    mails,
    async tokenOf(kind, email, used) {
      const mine = (await mails()).filter(({ recipients }) => recipients.includes(email));
      const tokens = mine.flatMap(({ text }) => new RegExp(`/${kind}/([\\w-]+)`).exec(text)?.[1] ?? []);
      return tokens.findLast((token) => !used.has(token));
    },
    close: smtp.close,
  };
}
