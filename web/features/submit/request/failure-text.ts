import { lookUp, type Texts, translate } from "../translation/translate";
import { isRecord } from "./request-state";
import type { Answer } from "./submission-api";

/** What a person reads about an answer that is not a success: translated where we can, else the server's words. */
export function failureText(texts: Texts, { status, body, retryAfter }: Answer): string {
  if (status === 0) return texts.errors.network;
  if (status === 429) {
    const minutes = Math.ceil((retryAfter ?? 0) / 60);
    return minutes > 0 ? translate(texts, "errors.rateLimited", { minutes }) : texts.errors.rateLimitedSoon;
  }
  const { message, code, params } = isRecord(body) ? body : {};
  // Before the app there may stand a gateway with a limit of its own, which knows none of our codes.
  const errorCode = status === 413 && code === undefined ? "body_too_large" : code;
  const template = typeof errorCode === "string" ? lookUp(texts.errors, errorCode) : undefined;
  const filled = template && fill(template, isRecord(params) ? params : {});
  if (filled) return filled;
  return typeof message === "string" && message ? message : texts.errors.server;
}

/** The sentence with its places filled; undefined where one of them is not known. */
function fill(sentence: string, params: Record<string, unknown>): string | undefined {
  let complete = true;
  const filled = sentence.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    complete &&= Object.hasOwn(params, name);
    return String(params[name]);
  });
  return complete ? filled : undefined;
}
