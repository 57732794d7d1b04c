import type { ErrorCode } from "../../../../worker/contract/errors";
import { isRecord } from "../../../../worker/contract/is-record";
import { lookUp } from "../../../lib/texts";
import { type FirstTexts, type StepTexts, translate } from "../translation/use-texts";
import type { ApiResponse } from "./submission-api";

/**
 * Codes of failures that only an invalid request of the page causes: the page is older than the server, or a proxy
 * changes its requests. The recipient can only reload. Other failures of an upload are retried and never shown.
 */
const PROTOCOL_CODES = new Set<string>([
  "invalid_checksum",
  "invalid_content_type",
  "invalid_upload_length",
  "invalid_upload_metadata",
  "invalid_upload_offset",
  "tus_version",
] satisfies ErrorCode[]);

/** The message for a failed request: translated if its code is known, else the server's text. */
export function failureText(
  texts: FirstTexts & Partial<Pick<StepTexts, "rejections">>,
  { status, body, retryAfter }: ApiResponse,
): string {
  if (status === 0) return texts.errors.network;
  if (status === 429) {
    const minutes = Math.ceil((retryAfter ?? 0) / 60);
    return minutes > 0 ? translate(texts, "errors.rateLimited", { minutes }) : texts.errors.rateLimitedSoon;
  }
  const { message, code, params } = isRecord(body) ? body : {};
  const known = typeof code === "string" && PROTOCOL_CODES.has(code) ? "upload" : code;
  const template =
    typeof known === "string" ? lookUp({ ...texts.errors, ...texts.rejections }, known) : undefined;
  const filled = template && fill(template, isRecord(params) ? params : {});
  if (filled) return filled;
  return typeof message === "string" && message ? message : texts.errors.server;
}

/** The text with its placeholders filled; undefined if a value is missing. */
function fill(sentence: string, params: Record<string, unknown>): string | undefined {
  let complete = true;
  const filled = sentence.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    complete &&= Object.hasOwn(params, name);
    return String(params[name]);
  });
  return complete ? filled : undefined;
}
