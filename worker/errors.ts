import { ERRORS, type ErrorCode, type ErrorParams, type Issue } from "./contract/errors";
import { messageOf, withoutCredentials } from "./lib/log-text";

type Details = {
  /** Values for the `{{name}}` placeholders of the message. */
  params?: ErrorParams;
  issues?: Issue[];
  retryAfterSeconds?: number;
  /** Replaces the status of the code. */
  status?: number;
};

/** An error that is reported to the client. Anything else that is thrown becomes `internal`. */
export class AppError extends Error {
  constructor(
    readonly code: ErrorCode,
    readonly details: Details = {},
  ) {
    super(sentence(code, details));
  }
}

/** @returns the error to throw for this code */
export function appError(code: ErrorCode, details?: Details): AppError {
  return new AppError(code, details);
}

/** The error for invalid input, with the message of the first issue. */
export function validationError(issues: Issue[]): AppError {
  return new AppError("validation", { issues });
}

/**
 * The messages of an error and its causes, one per line. Safe to log: query values and URL credentials are left out.
 */
export function causes(error: unknown): string {
  return error instanceof Error ? withoutCredentials(`${messageOf(error)}\n${causes(error.cause)}`) : "";
}

function sentence(code: ErrorCode, { params = {}, issues }: Details): string {
  if (code === "validation" && issues?.[0]) return issues[0].message;
  return ERRORS[code].message.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(params[name] ?? ""));
}
