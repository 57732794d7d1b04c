import { expect, test } from "bun:test";
import type { NotificationContext } from "../../db/queries/notification-context";
import type { Notification } from "../../db/queries/notifications";
import { appConfig, readVariables } from "../../worker/config";
import { LANGUAGES } from "../../worker/contract/options";
import { composeMail, composeSms } from "../../worker/features/notifications/compose";
import { fileSize, longDay } from "../../worker/features/notifications/formats";

const KINDS = [
  "invitation",
  "update",
  "reminder",
  "returned",
  "expiring",
  "submission",
  "receipt",
  "expired",
  "infected",
  "deletion",
  "verification",
  "password_reset",
  "password_changed",
  "email_changed",
  "provider_linked",
  "webhook_off",
  "account_deleted",
  "support",
] as const;
const CONFIG = appConfig(
  readVariables({ PUBLIC_URL: "https://docs.example.com", MAIL_FROM: "Papers <papers@example.com>" }),
);

function given(
  kind: Notification["kind"],
  language: string,
  more: { envelope?: object; user?: object } = {},
) {
  const notification = {
    id: 5,
    kind,
    channel: "email",
    recipient: "rita@example.com",
    payload: {
      token: "the-token",
      message: "Help",
      document: "Contract",
      provider: "google",
      host: "hooks.example.com",
    },
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
        allowedFileTypes: ["pdf"],
        skipped: false,
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
        superseded: false,
        createdAt: "2026-11-21T10:00:00.000Z",
      },
    ],
    announced: [
      {
        subject: "Papers",
        completedAt: "2026-10-29T10:00:00.000Z",
        filesDeletedAt: null,
        deletionNoticedAt: "2026-11-21T10:00:00.000Z",
        retentionDays: 30,
        workspaceName: "Clients",
      },
    ],
  } as unknown as NotificationContext;
  return [CONFIG, notification, context] as const;
}

test.each(LANGUAGES.flatMap((language) => KINDS.map((kind) => [kind, language] as const)))(
  "%s in %s has no unfilled placeholders, and both parts say the same",
  (kind, language) => {
    const { subject, text, html, from, messageId } = composeMail(...given(kind, language));
    for (const part of [subject, text, html]) expect(part).not.toMatch(/\{\{|\}\}|undefined|null|NaN/);
    expect(subject).toMatch(/\S/);
    expect(from).toContain("<papers@example.com>");
    expect(messageId).toBe("<notification-5-mwq8lds0@docs.example.com>");
    const links = [...text.matchAll(/https:\/\/\S+/g)].map(([link]) => link);
    for (const link of links) expect(html).toContain(`href="${link}"`);
    expect(links.length).toBe(["receipt", "account_deleted", "support"].includes(kind) ? 0 : 1);
  },
);

test.each(LANGUAGES)("a text message in %s has the link and is short", (language) => {
  for (const kind of ["invitation", "update", "reminder", "returned", "expiring"] as const) {
    const { text } = composeSms(...given(kind, language));
    expect(text).toContain("https://docs.example.com/submit/the-link");
    expect(text.length).toBeLessThan(160);
    expect(text).not.toContain("{{");
  }
});

test("a requestor without a name is named by company or address, and a mail without a subject gets one", () => {
  const nobody = { firstName: null, lastName: null };
  const mail = composeMail(...given("invitation", "en", { user: nobody, envelope: { subject: null } }));
  expect(mail.subject).toBe("ada@example.com is asking you for documents");
  const company = { ...nobody, companyName: "Engines, Inc." };
  expect(composeMail(...given("reminder", "en", { user: company })).from).toBe(
    "Engines Inc. via Doculopes <papers@example.com>",
  );
});

test("dates and sizes are formatted by language", () => {
  expect(LANGUAGES.map((language) => longDay("2026-12-03", language))).toEqual([
    "3 December 2026",
    "3 décembre 2026",
    "3 de diciembre de 2026",
    "2026年12月3日",
    "3. Dezember 2026",
    "3 de dezembro de 2026",
    "2026年12月3日",
  ]);
  expect([0, 1023, 1024, 1536, 5 * 1024 ** 2, 3 * 1024 ** 4].map((bytes) => fileSize(bytes, "en"))).toEqual([
    "0 bytes",
    "1,023 bytes",
    "1 KB",
    "1.5 KB",
    "5 MB",
    "3,072 GB",
  ]);
  expect(fileSize(1_234_567, "fr").replace(/\s/g, " ")).toBe("1,2 Mo");
});
