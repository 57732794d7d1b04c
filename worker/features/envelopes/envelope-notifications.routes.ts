import { Hono } from "hono";
import type { AppEnv } from "../../app-env";
import { describe } from "../../middleware/describe";
import { idempotent } from "../../middleware/idempotency";
import { callerOf, requireUser } from "../../middleware/session";
import { rowIdParam } from "../../middleware/validate";
import {
  notificationView,
  remindNow,
  requireNotifications,
  requireReminders,
  resendNotification,
} from "./envelope-notifications.service";

/** The messages of an envelope, and resending them. */
export const envelopeNotificationRoutes = new Hono<AppEnv>()
  .get(
    "/:id/notifications",
    requireUser,
    describe("List the messages of a request", { 200: "Message[]" }, ["envelope_not_found", "not_found"]),
    async (c) => {
      const id = rowIdParam(c.req.param("id"));
      const notifications = await requireNotifications(c.var.deps, c.var.user.id, id);
      return c.json(notifications.map(notificationView));
    },
  )
  .post(
    "/:id/notifications/:notificationId/retry",
    requireUser,
    describe("Send a message again", { 200: "Message" }, [
      "envelope_not_found",
      "not_found",
      "envelope_not_open",
      "too_many_messages",
    ]),
    async (c) => {
      const id = rowIdParam(c.req.param("id"));
      const notificationId = rowIdParam(c.req.param("notificationId"));
      const caller = { ...callerOf(c), user: c.var.user };
      const notification = await resendNotification(c.var.deps, caller, id, notificationId);
      return c.json(notificationView(notification));
    },
  )
  .post(
    "/:id/remind",
    requireUser,
    describe("Remind the recipient", { 201: "Message[]" }, [
      "envelope_not_found",
      "not_found",
      "envelope_not_open",
      "too_many_messages",
    ]),
    idempotent(async (c, dedupeKey) => {
      const id = Number(c.req.param("id"));
      const reminders = await requireReminders(c.var.deps, c.var.user.id, id, dedupeKey);
      return reminders.map(notificationView);
    }),
    async (c) => {
      const id = rowIdParam(c.req.param("id"));
      const reminders = await remindNow(c.var.deps, callerOf(c), id, c.var.claim);
      return c.json(reminders.map(notificationView), 201);
    },
  );
