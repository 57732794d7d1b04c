import { Hono } from "hono";
import type { AppEnv } from "../../app-env";
import { callerOf, requireUser } from "../../middleware/session";
import { rowIdParam } from "../../middleware/validate";
import {
  notificationView,
  remindNow,
  requireNotifications,
  resendNotification,
} from "./envelope-notifications.service";

/** The messages of an envelope, and sending them again. */
export const envelopeNotificationRoutes = new Hono<AppEnv>()
  .get("/:id/notifications", requireUser, async (c) => {
    const id = rowIdParam(c.req.param("id"));
    const notifications = await requireNotifications(c.var.deps, c.var.user.id, id);
    return c.json(notifications.map(notificationView));
  })
  .post("/:id/notifications/:notificationId/retry", requireUser, async (c) => {
    const id = rowIdParam(c.req.param("id"));
    const notificationId = rowIdParam(c.req.param("notificationId"));
    const notification = await resendNotification(c.var.deps, callerOf(c), id, notificationId);
    return c.json(notificationView(notification));
  })
  .post("/:id/remind", requireUser, async (c) => {
    const id = rowIdParam(c.req.param("id"));
    const reminders = await remindNow(c.var.deps, callerOf(c), id);
    return c.json(reminders.map(notificationView), 201);
  });
