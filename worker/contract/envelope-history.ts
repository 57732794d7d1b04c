import * as z from "zod";
import { ENVELOPE_ACTORS } from "./envelope-events";
import { count, id, RESPONSES, time } from "./fields";
import { CHANNELS, NOTIFICATION_STATUSES } from "./notifications";

export const messageResponse = z
  .object({
    id,
    kind: z.string(),
    channel: z.enum(CHANNELS),
    recipient: z.string(),
    status: z.enum(NOTIFICATION_STATUSES),
    attempts: count,
    lastError: z.string().nullable(),
    createdAt: time,
    sentAt: time.nullable(),
  })
  .register(RESPONSES, { id: "Message" });

export const timelineEntryResponse = z
  .union([
    z.object({
      kind: z.literal("delivery"),
      at: time,
      message: z.string(),
      channel: z.enum(CHANNELS),
      recipient: z.string(),
      status: z.enum(NOTIFICATION_STATUSES),
      error: z.string().nullable(),
      notificationId: id,
    }),
    z.object({
      kind: z.string(),
      at: time,
      actor: z.enum(ENVELOPE_ACTORS),
      address: z.string().nullable().describe("Of who works in the workspace, for its owners only"),
      detail: z.string().nullable(),
      name: z
        .string()
        .nullable()
        .describe("Who of the workspace acted, also after they have left; null for anybody else"),
    }),
  ])
  .register(RESPONSES, { id: "TimelineEntry" });
