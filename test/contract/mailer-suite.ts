import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { DeliveryError, type Mail, type Mailer } from "../../worker/ports/mailer";

/** An image that came with a mail, which its HTML can show by its content id. */
export type ReceivedImage = { contentId: string; mimeType: string; inline: boolean; base64: string };

/** A mail as it was received. */
export type ReceivedMail = {
  /** The actual recipients, whatever the headers say. */
  recipients: string[];
  from: { name: string; address: string };
  replyTo?: string;
  subject: string;
  text: string;
  html: string;
  images: ReceivedImage[];
  messageId: string;
  /** All headers, by their names in lower case. */
  headers: Record<string, string>;
};

export type OpenMailer = {
  mailer: Mailer;
  /** What has arrived since the last call. */
  received(): Promise<ReceivedMail[]>;
  close(): unknown;
};

export const SAMPLE_MAIL: Mail = {
  from: "Doculopes <no-reply@example.com>",
  to: "grace@example.com",
  subject: "Grüße: 3 documents, please – 書類",
  text: "Dear Grace,\n\nhttps://example.com/submit/abc_DEF-123\n.\nA line after a lone dot\n",
  html: '<p>Dear Grace, <a href="https://example.com/submit/abc_DEF-123">here</a> – 書類</p><img src="cid:logo">',
  images: [{ contentId: "logo", fileName: "logo.png", mimeType: "image/png", base64: "iVBORw0KGgo=" }],
  messageId: "<notification-17@example.com>",
};

const NOT_ONE_ADDRESS = [
  "",
  "grace",
  "grace@example.com, eve@example.com",
  "grace@example.com;eve@example.com",
  "Grace <grace@example.com>",
  "grace@example.com\r\nRCPT TO:<eve@example.com>",
  "grace@example.com\nBcc: eve@example.com",
  '"eve@example.com x"@example.org',
  "friends: eve@example.com;",
  "grace@example.com@example.org",
];

/** The contract of every mailer. */
export function mailerSuite(name: string, open: () => Promise<OpenMailer>): void {
  describe(`mailer: ${name}`, () => {
    let opened: OpenMailer;
    beforeAll(async () => {
      opened = await open();
    });
    beforeEach(() => opened.received());
    afterAll(() => opened.close());

    const sendAndReceive = async (changes: Partial<Mail> = {}) => {
      await opened.mailer.send({ ...SAMPLE_MAIL, ...changes });
      const received = await opened.received();
      expect(received).toHaveLength(1);
      return received[0] as ReceivedMail;
    };

    test("a mail arrives once, at one recipient, with both parts unchanged", async () => {
      const mail = await sendAndReceive();
      expect(mail.recipients).toEqual(["grace@example.com"]);
      expect(mail.from).toEqual({ name: "Doculopes", address: "no-reply@example.com" });
      expect(mail.subject).toBe(SAMPLE_MAIL.subject);
      expect(mail.text.trim()).toBe(SAMPLE_MAIL.text.trim());
      expect(mail.html.trim()).toBe(SAMPLE_MAIL.html);
      expect(mail.replyTo).toBeUndefined();
    });

    test("its image is inline, under the content id that the HTML uses", async () => {
      const { images, html } = await sendAndReceive();
      expect(images).toEqual([
        { contentId: "logo", mimeType: "image/png", inline: true, base64: "iVBORw0KGgo=" },
      ]);
      expect(html).toContain('src="cid:logo"');
    });

    test("a second delivery of the same notification has the same message id", async () => {
      const ids = [(await sendAndReceive()).messageId, (await sendAndReceive()).messageId];
      expect(ids).toEqual([SAMPLE_MAIL.messageId, SAMPLE_MAIL.messageId]);
    });

    test("a reply goes to the Reply-To address", async () => {
      expect((await sendAndReceive({ replyTo: "ada@example.com" })).replyTo).toBe("ada@example.com");
    });

    test("a mail that can be unsubscribed from has the headers of RFC 8058, any other has none", async () => {
      const plain = Object.keys((await sendAndReceive()).headers);
      expect(plain.filter((name) => name.startsWith("list-"))).toEqual([]);
      const unsubscribeUrl = "https://example.com/api/unsubscribe/abc_DEF-123";
      expect((await sendAndReceive({ unsubscribeUrl })).headers).toMatchObject({
        "list-unsubscribe": `<${unsubscribeUrl}>`,
        "list-unsubscribe-post": "List-Unsubscribe=One-Click",
      });
    });

    test("a sender may have no name, or one that needs quotes", async () => {
      const bare = await sendAndReceive({ from: "no-reply@example.com" });
      expect(bare.from).toEqual({ name: "", address: "no-reply@example.com" });
      const quoted = await sendAndReceive({ from: "Smith, Jones & Söhne <no-reply@example.com>" });
      expect(quoted.from).toEqual({ name: "Smith, Jones & Söhne", address: "no-reply@example.com" });
    });

    test("line breaks in a subject or name add neither a header nor a recipient", async () => {
      const mail = await sendAndReceive({
        subject: "Hello\r\nBcc: eve@example.com\r\n\r\nBody",
        from: "Doculopes\nBcc: eve@example.com\n<no-reply@example.com>",
      });
      expect(mail.recipients).toEqual(["grace@example.com"]);
      expect(mail.headers).not.toHaveProperty("bcc");
      expect(mail.subject).toBe("Hello Bcc: eve@example.com Body");
    });

    for (const to of NOT_ONE_ADDRESS) {
      test(`${JSON.stringify(to)} is rejected permanently, and nothing is sent`, async () => {
        const failure = await failureOf(opened.mailer.send({ ...SAMPLE_MAIL, to }));
        expect(failure.options.permanent).toBe(true);
        expect(await opened.received()).toEqual([]);
      });
    }
  });
}

/** The headers with their names in lower case. */
export const inLowerCase = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** The error of a failed delivery. */
export async function failureOf(delivery: Promise<void>): Promise<DeliveryError> {
  const error = await delivery.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof DeliveryError)) throw new Error(`Not a DeliveryError: ${error}`);
  return error;
}
