/**
 * An error's message without the values of a failed query, which are tokens and addresses. Drizzle's own message lists
 * them after the statement.
 */
export function messageOf(error: Error): string {
  return "query" in error && "params" in error ? `Failed query: ${error.query}` : error.message;
}

/** The stack of an error without its message. */
export function framesOf(error: Error): string {
  const { stack = "", message } = error;
  const start = stack.indexOf(message);
  return start < 0 ? "" : stack.slice(start + message.length).trim();
}

/** Removes user, password and token from each URL in the text. */
export function withoutCredentials(text: string): string {
  return text
    .replace(/:\/\/[^\s]*@/g, "://…@")
    .replace(/([?&][\w-]*(?:token|key|secret|password)=)[^\s&#]+/gi, "$1…");
}

/**
 * Removes what a mail server or gateway may quote of a message that it rejects: addresses, phone numbers, and the tokens
 * at the end of links.
 */
export function withoutRecipients(text: string): string {
  return text
    .replace(/[^\s<>()[\]"',;:=]+@[^\s<>()[\]"',;:]+/g, "…")
    .replace(/(?:\+|%2B)\d[\d ().-]{5,}\d/gi, "…")
    .replace(/\/[\w-]{20,}/g, "/…");
}
