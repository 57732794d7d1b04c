/**
 * What an error says, without the values of a failed query: those are tokens and addresses. Drizzle's own message
 * lists them after the statement.
 */
export function messageOf(error: Error): string {
  return "query" in error && "params" in error ? `Failed query: ${error.query}` : error.message;
}

/** Where an error was thrown, without its message. */
export function framesOf(error: Error): string {
  const { stack = "", message } = error;
  const start = stack.indexOf(message);
  return start < 0 ? "" : stack.slice(start + message.length).trim();
}

/** The text with the user, the password and the token of each URL in it left out. */
export function withoutCredentials(text: string): string {
  return text
    .replace(/:\/\/[^\s]*@/g, "://…@")
    .replace(/([?&][\w-]*(?:token|key|secret|password)=)[^\s&#]+/gi, "$1…");
}
