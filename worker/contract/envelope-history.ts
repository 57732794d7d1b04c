import * as z from "zod/mini";
import { ENVELOPE_ACTORS } from "./envelope-events";
import { count, entity, id, RESPONSES, time } from "./fields";
import { CHANNELS, NOTIFICATION_STATUSES } from "./notifications";

export const messageResponse = entity("Message", {
  id,
  kind: z.string(),
  channel: z.enum(CHANNELS),
  recipient: z.string(),
  status: z.enum(NOTIFICATION_STATUSES),
  attempts: count,
  lastError: z.nullable(z.string()),
  createdAt: time,
  sentAt: z.nullable(time),
});

export const timelineEntryResponse = z
  .union([
    z.object({
      kind: z.literal("delivery"),
      at: time,
      message: z.string(),
      channel: z.enum(CHANNELS),
      recipient: z.string(),
      status: z.enum(NOTIFICATION_STATUSES),
      error: z.nullable(z.string()),
      notificationId: id,
    }),
    z.object({
      kind: z.string(),
      at: time,
      actor: z.enum(ENVELOPE_ACTORS),
      address: z.nullable(z.string()).check(z.describe("Of who works in the workspace, for its owners only")),
      detail: z.nullable(z.string()),
      name: z
        .nullable(z.string())
        .check(z.describe("Who of the workspace acted, also after they have left; null for anybody else")),
    }),
  ])
  .register(RESPONSES, { id: "TimelineEntry" });
