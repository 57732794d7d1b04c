import { isRecord } from "../../worker/contract/is-record";

/**
 * The error code in a response's body; undefined unless the app itself responded. Proxies, routers and portals respond
 * too, and what they say is not about the file, the link or the account.
 */
export function codeIn(body: unknown): string | undefined {
  const code = isRecord(body) ? body.code : undefined;
  return typeof code === "string" && /^[a-z_]+$/.test(code) ? code : undefined;
}

/** Whether it is a sentence: what stands before the app responds with a page, with JSON of its own, or with nothing. */
export const isSentence = (text: unknown): text is string =>
  typeof text === "string" && /^\s*[^\s<{]/.test(text);
