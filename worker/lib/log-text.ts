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
