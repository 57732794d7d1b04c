import { expect, test } from "bun:test";
import type { NotificationContext } from "../../db/queries/notification-context";
import type { Notification } from "../../db/queries/notifications";
import {
  isRequestKind,
  NOTIFICATION_KINDS,
  type NotificationKind,
} from "../../worker/contract/notifications";
import { outdatedReason } from "../../worker/features/notifications/notification-kinds";

const KINDS = Object.keys(NOTIFICATION_KINDS) as NotificationKind[];
const NOW = new Date("2026-03-14T12:00:00Z");
const ENVELOPE = {
  status: "pending",
  expiresAt: "2026-03-14T23:59:59.999Z",
  customerEmail: "rita@example.com",
  recipientPhone: "+15551234567",
};
const USER = { email: "ada@example.com", isVerified: false, disabledAt: null };

/** Why the notification would not be sent. Irrelevant fields are left out. */
function why(
  notification: Partial<Notification>,
  { envelope = {}, user = {} }: { envelope?: object | null; user?: object | null } = {},
) {
  const context = {
    envelope: envelope && { ...ENVELOPE, ...envelope },
    user: user && { ...USER, ...user },
  } as unknown as NotificationContext;
  const base = {
    channel: "email",
    recipient: "rita@example.com",
    envelopeId: 1,
    createdAt: NOW.toISOString(),
  };
  return outdatedReason({ ...base, ...notification } as Notification, context, NOW);
}

test.each(KINDS.filter(isRequestKind))("%s is sent only to the current address of a pending one", (kind) => {
  expect(why({ kind })).toBeNull();
  expect(why({ kind, channel: "sms", recipient: "+15551234567" })).toBeNull();
  expect(why({ kind }, { envelope: { status: "completed" } })).toMatch(/completed/);
  expect(why({ kind }, { envelope: { status: "expired" } })).toMatch(/expired/);
  expect(why({ kind }, { envelope: { expiresAt: "2026-03-14T11:59:59.999Z" } })).toMatch(/expired/);
  expect(why({ kind }, { envelope: { customerEmail: "other@example.com" } })).toMatch(/address/);
  expect(why({ kind, channel: "sms", recipient: "+15551234568" })).toMatch(/address/);
  expect(why({ kind }, { envelope: null })).toMatch(/no longer/);
});

test("the expiry notice is sent only while the envelope is expired", () => {
  expect(why({ kind: "expired" }, { envelope: { status: "expired" } })).toBeNull();
  expect(why({ kind: "expired" })).toMatch(/no longer expired/);
});

test("a link is sent only while it works", () => {
  const recipient = "ada@example.com";
  const verification = { kind: "verification", recipient, envelopeId: null } as const;
  expect(why(verification)).toBeNull();
  expect(why(verification, { user: { isVerified: true, verifiedByOwner: true } })).toMatch(/confirmed/);
  expect(why(verification, { user: { email: "new@example.com" } })).toMatch(/confirmed/);
  expect(why({ ...verification, createdAt: "2026-03-13T12:00:00.000Z" })).toMatch(/expired/);
  const reset = { kind: "password_reset", recipient, envelopeId: null } as const;
  expect(why({ ...reset, createdAt: "2026-03-14T11:00:00.001Z" })).toBeNull();
  expect(why({ ...reset, createdAt: "2026-03-14T11:00:00.000Z" })).toMatch(/expired/);
});

test("confirmations are always sent", () => {
  for (const kind of ["submission", "receipt", "password_changed", "email_changed"] as const)
    expect(why({ kind }, { envelope: { status: "completed" } })).toBeNull();
});
