import { Hono } from "hono";
import type { AppEnv } from "../../app-env";
import { messageResponse } from "../../contract/envelope-history";
import { reminderQuery, reminderResponse, remindInput } from "../../contract/envelopes";
import { describe, respond } from "../../middleware/describe";
import { idempotent } from "../../middleware/idempotency";
import { asViewer, requireUser, senderOf } from "../../middleware/session";
import { optionalJsonBody, query, rowIdParam } from "../../middleware/validate";
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
    requireUser,
    describe("List the messages of a request", { 200: [messageResponse] }, ["envelope_not_found"]),
    async (c) => {
      const id = rowIdParam(c.req.param("id"));
      const notifications = await requireNotifications(c.var.deps, asViewer(c), id);
      return respond(c, notifications.map(notificationView));
    },
  )
  .post(
    "/:id/notifications/:notificationId/retry",
    requireUser,
    describe("Send a message again", { 200: messageResponse }, [
      "envelope_not_found",
      "role_required",
      "envelope_not_open",
      ...MESSAGE_ERRORS,
    ]),
    async (c) => {
      const id = rowIdParam(c.req.param("id"));
      const notificationId = rowIdParam(c.req.param("notificationId"));
      const notification = await resendNotification(c.var.deps, senderOf(c), id, notificationId);
      return respond(c, notificationView(notification));
    },
  )
  .get(
    "/:id/reminder",
    requireUser,
    describe("Read the reminder that would be sent", { 200: reminderResponse }, [
      "envelope_not_found",
      "envelope_not_open",
      "unknown_document",
    ]),
    query(reminderQuery),
    async (c) => {
      const id = rowIdParam(c.req.param("id"));
      return respond(c, await readReminder(c.var.deps, asViewer(c), id, c.req.valid("query")));
    },
  )
  .post(
    "/:id/remind",
    requireUser,
    describe("Remind the recipient", { 201: [messageResponse] }, [
      "envelope_not_found",
      "role_required",
      "envelope_not_open",
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
      const id = rowIdParam(c.req.param("id"));
      const reminders = await remindNow(c.var.deps, senderOf(c), id, c.req.valid("json"), c.var.claim);
      return respond(c, reminders.map(notificationView));
    },
  );
