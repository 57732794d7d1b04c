import { ERRORS, type ErrorCode, type ErrorParams, type Issue } from "./contract/errors";
import { messageOf, withoutCredentials } from "./lib/log-text";

type Details = {
  /** Fill the `{{name}}` places of the code's sentence. */
  params?: ErrorParams;
  issues?: Issue[];
  retryAfterSeconds?: number;
};

/** A failure that the client is told of. Anything else that is thrown becomes `internal`. */
export class AppError extends Error {
  constructor(
    readonly code: ErrorCode,
    readonly details: Details = {},
  ) {
    super(sentence(code, details));
  }
}

/** @returns the error to throw for the code */
export function appError(code: ErrorCode, details?: Details): AppError {
  return new AppError(code, details);
}

/** The error for invalid input; its sentence is that of the first issue. */
export function validationError(issues: Issue[]): AppError {
  return new AppError("validation", { issues });
}

/**
 * The messages of an error and of what caused it, one a line. Fit for a log: a failed query comes without its values, and no URL with its user and password.
 */
export function causes(error: unknown): string {
  return error instanceof Error ? withoutCredentials(`${messageOf(error)}\n${causes(error.cause)}`) : "";
}

function sentence(code: ErrorCode, { params = {}, issues }: Details): string {
  if (code === "validation" && issues?.[0]) return issues[0].message;
  return ERRORS[code].message.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(params[name] ?? ""));
}
