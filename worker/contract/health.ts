import * as z from "zod";
import { RESPONSES, response } from "./response-fields";

export const livenessResponse = response("Liveness", { status: z.literal("live") });
export const healthResponse = response("Health", { status: z.literal("ok"), version: z.string() });
export const readinessResponse = response("Readiness", { status: z.literal("ready") });
export const openApiResponse = z.looseObject({ openapi: z.string() }).register(RESPONSES, { id: "OpenApi" });
