import { Hono } from "hono";
import type { AppEnv } from "../../app-env";
import { messageResponse } from "../../contract/envelope-history";
import { reminderQuery, reminderResponse, remindInput } from "../../contract/envelopes";
import { respond } from "../../middleware/describe";
import { idempotent } from "../../middleware/idempotency";
import { asViewer, forUsers, senderOf } from "../../middleware/session";
import { idOf, optionalJsonBody, query } from "../../middleware/validate";
import {
  notificationView,
  readReminder,
  remindNow,
  requireNotifications,
  requireReminders,
  resendNotification,
} from "./envelope-notifications.service";
import { MESSAGE_ERRORS } from "./sending-limits";

/** The messages of an envelope, and resending them. */
export const envelopeNotificationRoutes = new Hono<AppEnv>()
  .get(
    "/:id/notifications",
    forUsers("List the messages of a request", { 200: [messageResponse] }, ["envelope_not_found"]),
    async (c) => {
      const notifications = await requireNotifications(c.var.deps, asViewer(c), idOf(c));
      return respond(c, notifications.map(notificationView));
    },
  )
  .post(
    "/:id/notifications/:notificationId/retry",
    forUsers("Send a message again", { 200: messageResponse }, [
      "envelope_not_found",
      "role_required",
      "envelope_not_open",
      ...MESSAGE_ERRORS,
    ]),
    async (c) => {
      const ids = [idOf(c), idOf(c, "notificationId")] as const;
      return respond(c, notificationView(await resendNotification(c.var.deps, senderOf(c), ...ids)));
    },
  )
  .get(
    "/:id/reminder",
    forUsers("Read the reminder that would be sent", { 200: reminderResponse }, [
      "envelope_not_found",
      "envelope_not_open",
      "unknown_document",
    ]),
    query(reminderQuery),
    async (c) => respond(c, await readReminder(c.var.deps, asViewer(c), idOf(c), c.req.valid("query"))),
  )
  .post(
    "/:id/remind",
    forUsers("Remind the recipient", { 201: [messageResponse] }, [
      "envelope_not_found",
      "role_required",
      "envelope_not_open",
      "envelope_changed",
      "unknown_document",
      ...MESSAGE_ERRORS,
    ]),
    idempotent(async (c, dedupeKey) => {
      const id = Number(c.req.param("id"));
      const reminders = await requireReminders(c.var.deps, asViewer(c), id, dedupeKey);
      return reminders.map(notificationView);
    }),
    optionalJsonBody(remindInput),
    async (c) => {
      const { deps, claim } = c.var;
      const reminders = await remindNow(deps, senderOf(c), idOf(c), c.req.valid("json"), claim);
      return respond(c, reminders.map(notificationView));
    },
  );
