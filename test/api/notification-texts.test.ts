import { expect, test } from "bun:test";
import type { NotificationContext } from "../../db/queries/notification-context";
import type { Notification } from "../../db/queries/notifications";
import { loadMailTexts } from "../../worker/adapters/bun/messages/mail-texts";
import { createSmtpMailer } from "../../worker/adapters/bun/messages/smtp-mailer";
import { appConfig, readVariables } from "../../worker/config";
import { longDay } from "../../worker/contract/days";
import {
  isRequestKind,
  NOTIFICATION_KINDS,
  type NotificationKind,
  type PayloadValues,
} from "../../worker/contract/notifications";
import { LANGUAGES } from "../../worker/contract/options";
import { composeMail, composeSms, loadTexts } from "../../worker/features/notifications/compose";
import { fileSize } from "../../worker/features/notifications/formats";
import { mailTextOf } from "../../worker/features/notifications/mail-texts";
import { type EnvelopeContext, requestSms } from "../../worker/features/notifications/recipient-mails";
import { startSmtpServer } from "../support/servers/smtp-server";

/** The page that each mail's button opens; null without a button. */
const PAGES: Record<NotificationKind, string | null> = {
  invitation: "/submit/the-link",
  update: "/submit/the-link",
  reminder: "/submit/the-link",
  returned: "/submit/the-link",
  expiring: "/submit/the-link",
  receipt: null,
  submission: "/?envelope=12",
  message: "/?envelope=12",
  expired: "/?envelope=12",
  infected: "/?envelope=12",
  deletion: "/",
  digest: "/?tab=toReview",
  undelivered: "/?envelope=12",
  not_sent: "/",
  renewed: "/",
  webhook_off: "/integrations",
  webhooks_off: "/integrations",
  destination_problem: "/integrations",
  verification: "/verify/the-token",
  password_reset: "/reset/the-token",
  account_created: "/reset/the-token",
  confirmation_code: null,
  sign_in_link_made: "/profile",
  two_factor_reset: "/profile",
  password_changed: "/auth?mode=forgot",
  new_sign_in: "/auth?mode=forgot",
  email_changed: "/revert-email/the-token",
  email_claimed: "/release-email/the-token",
  email_released: "/profile",
  factor_added: "/auth?mode=forgot",
  factor_removed: "/auth?mode=forgot",
  recovery_codes_renewed: "/auth?mode=forgot",
  recovery_code_used: "/auth?mode=forgot",
  provider_linked: "/profile",
  provider_unlinked: "/profile",
  account_deleted: null,
  account_invitation: "/invite/the-token",
  workspace_invitation: "/invite/the-token",
  member_joined: "/",
  member_removed: "/restore-owner/the-token",
  made_owner: "/",
  owner_demoted: "/restore-owner/the-token",
  owner_restored: "/",
  workspace_deleted: "/",
  sending_limit: "/administration",
  alert: "/administration",
  alert_over: "/administration",
  support: null,
};
const KINDS = Object.keys(NOTIFICATION_KINDS) as NotificationKind[];
const CONFIG = appConfig(
  readVariables({ PUBLIC_URL: "https://docs.example.com", MAIL_FROM: "Papers <papers@example.com>" }),
);

/** What messages of all kinds are stored with. */
const PAYLOAD: Required<PayloadValues> = {
  token: "the-token",
  pending: 1,
  code: "048213",
  language: "en",
  unproved: 1,
  receiptLanguage: "en",
  note: "The deadline is near",
  documentIds: [1],
  envelopeIds: [12],
  inviter: "Ada Lovelace",
  workspaceId: 1,
  workspace: "Clients",
  role: "member",
  name: "Rita",
  actor: "Ben",
  address: "ada@example.net",
  provider: "google",
  factor: "totp",
  browser: "Firefox",
  system: "Linux",
  host: "hooks.example.com",
  document: "Contract",
  since: "2026-11-20T10:00:00.000Z",
  until: "2026-11-21T10:00:00.000Z",
  text: "A question",
  sent: 5000,
  limit: 10_000,
  cause: "disk_low",
  news: [{ title: "Papers", details: "Rita", path: "/?envelope=12", reason: "limit" }],
  count: 2,
  lastNews: 2,
  problem: "full",
  message: "Help",
};
const { note, ...OTHERS } = PAYLOAD;

async function given(
  kind: Notification["kind"],
  language: string,
  more: { envelope?: object; user?: object } = {},
) {
  const notification = {
    id: 5,
    kind,
    channel: "email",
    recipient: "rita@example.com",
    payload: { ...OTHERS, ...(kind === "reminder" && { note }), language, receiptLanguage: language },
    createdAt: "2026-11-21T10:00:00.000Z",
  } as unknown as Notification;
  const context = {
    user: {
      id: 7,
      email: "ada@example.com",
      firstName: "Ada",
      lastName: "Lovelace",
      companyName: null,
      languagePreference: language,
      isVerified: true,
      ...more.user,
    },
    envelope: {
      id: 12,
      title: "Document Request for Rita",
      recipientName: "Rita",
      customerEmail: "rita@example.com",
      subject: "Papers",
      message: null,
      expirationDate: "2026-12-03",
      submissionToken: "the-link",
      completedAt: "2026-11-21T10:00:00.000Z",
      ...more.envelope,
    },
    documents: [
      {
        id: 1,
        name: "Contract",
        description: null,
        required: true,
        kind: "file",
        allowedFileTypes: ["pdf"],
        skipped: false,
        hidden: false,
        review: kind === "returned" ? "returned" : null,
        reviewReason: "Page 2 is blurry",
      },
    ],
    files: [
      {
        requestDocumentId: null,
        documentName: "Contract",
        fileName: "a.pdf",
        fileSize: 1_234_567,
        sha256: "5f".repeat(32),
        superseded: false,
        createdAt: "2026-11-21T10:00:00.000Z",
      },
    ],
    answers: [],
    news: PAYLOAD.news,
    dueForDeletion: [
      {
        ...{ subject: "Papers", title: "Document Request for Rita", recipientName: "Rita" },
        ...{ customerEmail: "rita@example.com", recipientPhone: null },
        completedAt: "2026-10-29T10:00:00.000Z",
        filesDeletedAt: null,
        deletionAnnouncedAt: "2026-11-21T10:00:00.000Z",
        deletionNoticedAt: "2026-11-21T10:00:00.000Z",
        retentionDays: 30,
        workspaceName: "Clients",
        awaitsDelivery: true,
      },
    ],
    undelivered: [
      {
        envelopeId: 12,
        title: "Document Request for Rita",
        recipientName: "Rita",
        subject: "Papers",
        channel: "email",
        recipient: "rita@example.com",
        failure: "refused",
        total: 1,
      },
    ],
    submitted: {
      count: 1,
      toReview: 1,
      first: [
        {
          id: 12,
          title: "Document Request for Rita",
          recipientName: "Rita",
          subject: "Papers",
          note: "More will follow",
          toReview: 1,
          files: 2,
        },
      ],
    },
  } as unknown as NotificationContext;
  const t = await loadTexts({ loadMailTexts }, notification, context);
  return [CONFIG, notification, context, t] as const;
}

test.each(LANGUAGES.flatMap((language) => KINDS.map((kind) => [kind, language] as const)))(
  "%s in %s has no unfilled placeholders, both parts say the same, and its button opens its page",
  async (kind, language) => {
    const { subject, text, html, from, messageId } = await composeMail(...(await given(kind, language)));
    for (const part of [subject, text, html]) expect(part).not.toMatch(/\{\{|\}\}|undefined|null|NaN/);
    expect(subject).toMatch(/\S/);
    expect(from).toContain("<papers@example.com>");
    expect(messageId).toBe("<notification-5-mwq8lds0@docs.example.com>");
    const links = [...text.matchAll(/https:\/\/\S+/g)].map(([link]) => link);
    for (const link of links) expect(html).toContain(`href="${link}"`);
    const lists = ["digest", "not_sent", "renewed"].includes(kind);
    const settings = kind === "digest" ? "/profile#preferences" : [];
    const pages = [PAGES[kind] ?? [], lists ? "/?envelope=12" : [], settings].flat();
    expect(links).toEqual(pages.map((page) => `https://docs.example.com${page}`));
  },
);

test.each(LANGUAGES)("a text message in %s has the link and is short", async (language) => {
  for (const kind of KINDS.filter(isRequestKind)) {
    const { text } = composeSms(...(await given(kind, language)));
    expect(text).toContain("https://docs.example.com/submit/the-link");
    expect(text.length).toBeLessThan(160);
    expect(text).not.toContain("{{");
  }
});

test("a requestor without a name is named by company or address, and a mail without a subject gets one", async () => {
  const nobody = { firstName: null, lastName: null };
  const mail = await composeMail(
    ...(await given("invitation", "en", { user: nobody, envelope: { subject: null } })),
  );
  expect(mail.subject).toBe("ada@example.com is asking you for documents");
  const company = { ...nobody, companyName: "Engines, Inc." };
  expect((await composeMail(...(await given("reminder", "en", { user: company })))).from).toBe(
    "Engines Inc. via Doculopes <papers@example.com>",
  );
});

test.each([
  ["Your parcel waits: https://evil.example", "ada@example.com"],
  ["Your parcel waits：／／evil.example", "ada@example.com"],
  ["See WWW.evil.example", "ada@example.com"],
  ["support＠bank.example", "ada@example.com"],
  ["evil.example/pay now", "evil. example/pay now"],
  ["e\u200bvil。example", "evil. example"],
  ["Dr. Ada Lovelace, Ph. D.", "Dr. Ada Lovelace, Ph. D."],
])("a requestor named %p brings no link into a text message or a subject", async (firstName, shown) => {
  const changes = { user: { firstName, lastName: null }, envelope: { subject: null } };
  const { text } = composeSms(...(await given("invitation", "en", changes)));
  expect(text).toStartWith(`${shown} `);
  expect(text.match(/https?:\S+/g)).toEqual(["https://docs.example.com/submit/the-link"]);
  const { subject } = await composeMail(...(await given("invitation", "en", changes)));
  expect(subject).toBe(`${shown} is asking you for documents`);
});

test.each([
  ["You have won: https://evil.example", "You have won https evil. example"],
  ["evil.example", "evil. example"],
  ["Taxes, 2026 (Berlin)", "Taxes, 2026 (Berlin)"],
])("a workspace named %p brings no link into the subject of an invitation", async (workspace, shown) => {
  const [config, notification, ...rest] = await given("workspace_invitation", "en");
  const payload = { ...notification.payload, workspace };
  const { subject, text } = await composeMail(config, { ...notification, payload }, ...rest);
  expect(subject).toContain(shown);
  expect(subject + text).not.toContain("evil.example");
});

test.each([
  ["support@bank.example", "Doculopes"],
  ["Bank support＠bank.example", "Bank via Doculopes"],
  ["Ada <ceo﹫bank.example>", "Ada via Doculopes"],
  ["bank.example", "bank. example via Doculopes"],
  ["https://bank.example/login", "https bank. example/login via Doculopes"],
  ["Ada\r\nBcc: eve\u202e@evil.example", "Ada Bcc via Doculopes"],
  ["bank\u200b.\u200dexample", "bank. \u200dexample via Doculopes"],
  ["bank。example", "bank. example via Doculopes"],
  ["\u061cada\u00ad", "ada via Doculopes"],
  ["Dr. Ada Lovelace", "Dr. Ada Lovelace via Doculopes"],
])("a requestor named %p is not taken for another address", async (firstName, shown) => {
  const user = { firstName, lastName: null };
  const mail = await composeMail(...(await given("invitation", "en", { user })));
  expect(mail.from).toBe(`${shown} <papers@example.com>`);
  const server = await startSmtpServer();
  await createSmtpMailer({ url: server.url }).send(mail);
  const [received] = await server.received();
  expect(received?.from).toEqual({ name: shown, address: "papers@example.com" });
  await server.close();
});

test("mails about a submission quote the recipient's note", async () => {
  const notes = { submission: PAYLOAD.text, digest: "More will follow" } as const;
  for (const [kind, note] of Object.entries(notes)) {
    const { text, html } = await composeMail(...(await given(kind as keyof typeof notes, "en")));
    for (const part of [text, html]) expect(part).toContain(note);
  }
});

test("dates are formatted by language", () => {
  expect(LANGUAGES.map((language) => longDay("2026-12-03", language))).toEqual([
    "3 December 2026",
    "3 décembre 2026",
    "3 de diciembre de 2026",
    "2026年12月3日",
    "3. Dezember 2026",
    "3 de dezembro de 2026",
    "2026年12月3日",
  ]);
});

test("sizes are written as on the screens", async () => {
  const sizeIn = async (language: "en" | "fr", bytes: number) =>
    fileSize(bytes, { t: mailTextOf(await loadMailTexts(language), language) });
  const sizes = [0, 1023, 1024, 1536, 5 * 1024 ** 2, 3 * 1024 ** 4].map((bytes) => sizeIn("en", bytes));
  expect(await Promise.all(sizes)).toEqual(["0 Bytes", "1,023 Bytes", "1 KB", "1.5 KB", "5 MB", "3,072 GB"]);
  expect(await sizeIn("fr", 1_234_567)).toBe("1,18 Mo");
});

test("mails about returned documents have what is needed again and why right after the button, then the first message", async () => {
  const message = "Dear Rita, for your tax return I need a few papers.";
  for (const kind of ["returned", "reminder", "expiring"] as const) {
    const [config, notification, context, t] = await given(kind, "en", { envelope: { message } });
    const documents = context.documents.map((document) => ({ ...document, review: "returned" as const }));
    const mail = await composeMail(config, notification, { ...context, documents }, t);
    for (const part of [mail.text, mail.html]) {
      const order = ["/submit/the-link", "Contract", "Page 2 is blurry", "Requested by", message];
      expect(order.map((text) => part.lastIndexOf(text))).toEqual(
        order.map((text) => part.lastIndexOf(text)).toSorted((a, b) => a - b),
      );
      expect(part).toContain(message);
    }
    expect(mail.html).toContain(">Contract: Page 2 is blurry&");
  }
  const [config, notification, context, t] = await given("returned", "en");
  const { subject, text } = await composeMail(config, notification, context, t);
  expect(subject).toBe("Please send 1 document again: Papers");
  expect(text).toStartWith("Ada Lovelace needs a document from you again\n");
  expect(text).toContain("Please send the document listed below again.");
  const documents = context.documents.map((document) => ({ ...document, kind: "number" as const }));
  expect((await composeMail(config, notification, { ...context, documents }, t)).subject).toBe(
    "Needed again: Papers",
  );
  expect((await composeMail(...(await given("invitation", "en", { envelope: { message } })))).html).toMatch(
    new RegExp(`${message}.*/submit/the-link`, "s"),
  );
});

test.each(["invitation", "reminder", "expiring", "returned"] as const)(
  "a mail about a %s with questions does not call them documents",
  async (kind) => {
    const [config, notification, context, t] = await given(kind, "en");
    const [document] = context.documents;
    const question = { ...document, name: "IBAN", kind: "text" as const };
    const documents = [document, question] as typeof context.documents;
    const { text } = await composeMail(config, notification, { ...context, documents }, t);
    expect(text).toContain("Requested documents and answers:");
    expect(text).toContain("Open the request:");
    expect(text).toMatch(/(?:documents and answers|answer the questions) listed below/);
    const onlyAsked = { ...context, documents: [question] as typeof context.documents };
    const envelope = { ...context.envelope, subject: null } as typeof context.envelope;
    const mail = await composeMail(config, notification, { ...onlyAsked, envelope }, t);
    // All but the recipient's page itself, and the address of the link.
    expect(`${mail.subject}\n${mail.text.split("\n-- \n")[0]}`).not.toMatch(/document|upload/i);
  },
);

test.each(["invitation", "reminder", "expiring", "returned", "update"] as const)(
  "a text message about a %s with questions does not call them documents",
  async (kind) => {
    const [, , context, t] = await given(kind, "en");
    const documents = context.documents.map((document) => ({ ...document, kind: "text" as const }));
    const text = requestSms(kind, { ...context, documents } as EnvelopeContext, {
      ...{ t, language: "en", link: "", at: "", timeZone: null },
    });
    expect(text).toContain("Ada Lovelace");
    expect(text).not.toMatch(/document|upload/i);
  },
);

test("no space follows a full-width colon", async () => {
  for (const language of ["zh", "ja"]) {
    const { text } = await composeMail(...(await given("invitation", language)));
    expect(text).toMatch(/：Ada Lovelace/);
    expect(text).not.toContain("： ");
    const { html } = await composeMail(...(await given("returned", language)));
    expect(html).toContain(">Contract：Page 2 is blurry&");
  }
});

test("mails name an account's first workspace in the reader's language, as the screens do", async () => {
  for (const kind of ["workspace_invitation", "member_joined"] as const) {
    const [config, notification, context, t] = await given(kind, "de");
    const payload = { ...notification.payload, workspace: "My Workspace" };
    const { text } = await composeMail(config, { ...notification, payload }, context, t);
    expect(text).toContain("„Mein Arbeitsbereich“");
    expect(text).not.toContain("My Workspace");
  }
});

test("a request opens with a short message, and a long one, facts and list come after its button", async () => {
  const orderIn = async (kind: "invitation" | "reminder", message: string | null) => {
    const { text } = await composeMail(...(await given(kind, "en", { envelope: { message } })));
    const parts = {
      greeting: "Hello",
      message: "> Dear",
      button: "/submit/",
      facts: "Requested by",
      list: "(Required)",
    };
    const found = Object.entries(parts).map(([name, part]) => [name, text.indexOf(part)] as const);
    const shown = found.filter(([, at]) => at >= 0).toSorted(([, one], [, other]) => one - other);
    return shown.map(([name]) => name).join(", ");
  };
  const [short, long] = ["Dear Rita,\nplease hurry.", "Dear Rita, please hurry. ".repeat(20)];
  expect(await orderIn("invitation", null)).toBe("greeting, button, facts, list");
  expect(await orderIn("invitation", short)).toBe("message, button, facts, list");
  expect(await orderIn("invitation", long)).toBe("button, message, facts, list");
  // Its note is the sender's own, too.
  expect(await orderIn("reminder", null)).toBe("button, facts, list");
  expect(await orderIn("reminder", short)).toBe("button, facts, list, message");
});

test("file types are named once for documents that accept the same, each format by one name", async () => {
  const [config, notification, context, t] = await given("invitation", "en");
  const [contract] = context.documents;
  if (!contract) throw new Error("There is no document");
  const allowedFileTypes = ["pdf", "doc", "docx", "jpg", "jpeg", "xlsx"];
  const [same, other] = [
    { ...contract, allowedFileTypes },
    { ...contract, allowedFileTypes: ["heic"] },
  ];
  const textWith = async (documents: (typeof contract)[]) =>
    (await composeMail(config, notification, { ...context, documents }, t)).text;
  expect(await textWith([same, same])).toContain(
    "Requested documents:\nAccepted: PDF, Word, JPG, Excel\n- Contract (Required)\n- Contract (Required)\n",
  );
  expect(await textWith([same, other])).toMatch(
    /\(Required\)\n {2}Accepted: PDF, Word, JPG, Excel\n.*\n {2}Accepted: HEIC\n/,
  );
});

test("numbers and due dates are written as the language writes them", async () => {
  expect((await composeMail(...(await given("sending_limit", "de")))).subject).toContain("5.000 von 10.000");
  const { text } = await composeMail(
    ...(await given("reminder", "de", { envelope: { dueDate: "2026-12-05" } })),
  );
  expect(text).toContain("\n\nDie Frist endet in 14 Tagen, am 5. Dezember 2026.\n\n");
});

test("the receipt shows names, sizes and the time in the text's size, and checksums small at the end", async () => {
  const { html, text } = await composeMail(
    ...(await given("receipt", "de", { envelope: { timeZone: "Europe/Berlin" } })),
  );
  expect(text).toContain("Eingegangen am: 21. November 2026 um 11:00 (Mitteleuropäische Zeit)");
  expect(html).toMatch(/font-size:15px[^>]*>a\.pdf · 1,18 MB</);
  expect(html).toMatch(/font-size:12px[^>]*>Prüfsummen[^<]*<br>a\.pdf: (5f){32}</);
  expect(text.indexOf("5f5f")).toBeGreaterThan(text.indexOf("a.pdf · 1,18 MB"));
});

const PASSWORD = /password|Passwort|contraseña|mot de passe|senha|パスワード|密码/;

test("where passwords do not sign in, the mails about access lead to the settings and name no password", async () => {
  const config = appConfig(
    readVariables({ PUBLIC_URL: "https://docs.example.com", PASSWORD_SIGN_IN: "off" }),
  );
  for (const language of LANGUAGES) {
    for (const kind of ["new_sign_in", "factor_added", "factor_removed", "recovery_codes_renewed"] as const) {
      const [, ...rest] = await given(kind, language);
      const { text } = await composeMail(config, ...rest);
      expect([kind, language, text.includes("https://docs.example.com/profile#security")]).toEqual([
        ...[kind, language, true],
      ]);
      expect(text).not.toMatch(PASSWORD);
    }
    const [, ...changed] = await given("email_changed", language);
    const { text } = await composeMail(config, ...changed);
    expect(text).toContain("/revert-email/");
    expect(text).not.toMatch(PASSWORD);
  }
});
