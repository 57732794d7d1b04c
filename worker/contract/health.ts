import * as z from "zod/mini";
import { RESPONSES } from "./fields";

export const livenessResponse = z
  .object({ status: z.literal("live") })
  .register(RESPONSES, { id: "Liveness" });
export const healthResponse = z
  .object({
    status: z.literal("ok"),
    version: z.string(),
    commit: z.optional(z.string()),
    date: z.optional(z.string()),
  })
  .register(RESPONSES, { id: "Health" });
export const readinessResponse = z
  .object({ status: z.literal("ready") })
  .register(RESPONSES, { id: "Readiness" });
export const openApiResponse = z.looseObject({ openapi: z.string() }).register(RESPONSES, { id: "OpenApi" });
