import type { ErrorBody, ErrorParams, Issue } from "./contract/error-body";
import { ERRORS, type ErrorCode } from "./contract/errors";
import { messageOf, withoutCredentials } from "./lib/log-text";

/** What else the response says; `message` replaces that of the code. */
type Details = Partial<Omit<ErrorBody, "code">> & {
  retryAfterSeconds?: number;
  /** Replaces the status of the code. */
  status?: number;
  /** Whether the client has probably disconnected, so that nobody gets the response. */
  disconnected?: boolean;
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

/** What a look-up finds. @throws AppError of this code if that is nothing */
export async function required<T>(lookUp: PromiseLike<T>, code: ErrorCode): Promise<NonNullable<T>> {
  const found = await lookUp;
  if (!found) throw appError(code);
  return found;
}

/**
 * Handles a failure to read the body of a request: its client has disconnected.
 * @throws AppError of this code
 */
export const disconnected = (code: "request_interrupted" | "upload_interrupted") => (): never => {
  throw appError(code, { disconnected: true });
};

/** For `catch`: throws an expected error of the database as this error of the API, and any other one as it is. */
export const rejectedAs =
  (isExpected: (error: unknown) => boolean, code: ErrorCode) =>
  (error: unknown): never => {
    throw isExpected(error) ? appError(code) : error;
  };

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

function sentence(code: ErrorCode, { params = {}, message, issues }: Details): string {
  if (code === "validation" && issues?.[0]) return issues[0].message;
  return fillParams(message ?? ERRORS[code].message, params);
}

/** Fills the `{{name}}` placeholders of an error's message. */
export const fillParams = (message: string, params: ErrorParams): string =>
  message.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(params[name] ?? ""));
