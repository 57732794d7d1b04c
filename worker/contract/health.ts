import * as z from "zod/mini";
import { entity, RESPONSES } from "./fields";

export const livenessResponse = entity("Liveness", { status: z.literal("live") });
export const healthResponse = entity("Health", {
  status: z.literal("ok"),
  version: z.string(),
  commit: z.optional(z.string()),
  date: z.optional(z.string()),
});
export const readinessResponse = entity("Readiness", { status: z.literal("ready") });
export const openApiResponse = z.looseObject({ openapi: z.string() }).register(RESPONSES, { id: "OpenApi" });
