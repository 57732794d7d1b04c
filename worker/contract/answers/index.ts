import * as z from "zod";
import { ACCOUNT_ANSWERS } from "./account";
import { ADMINISTRATION_ANSWERS } from "./administration";
import { text } from "./fields";
import { REQUEST_ANSWERS } from "./requests";
import { WEBHOOK_ANSWERS } from "./webhooks";
import { WORKSPACE_ANSWERS } from "./workspaces";

/**
 * The response schemas, for the OpenAPI document only: loaded when somebody requests the document. Tests validate every
 * response against them. Each becomes a named schema of the document.
 */
export const ANSWERS = {
  ...ACCOUNT_ANSWERS,
  ...ADMINISTRATION_ANSWERS,
  ...WORKSPACE_ANSWERS,
  ...REQUEST_ANSWERS,
  ...WEBHOOK_ANSWERS,
  Liveness: z.object({ status: z.literal("live") }),
  Health: z.object({ status: z.literal("ok"), version: z.string() }),
  Readiness: z.object({ status: z.literal("ready") }),
  OpenApi: z.looseObject({ openapi: text }),
} as const satisfies Record<string, z.ZodType>;

export type AnswerName = keyof typeof ANSWERS;
