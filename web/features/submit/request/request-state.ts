import { isRecord } from "../../../lib/is-record";
import type { Answer, RecipientRequest } from "./submission-api";

/** A link whose last day is over, according to the server. */
type Expired = { kind: "expired" } & Record<
  "date" | "name" | "email" | "expiresAt" | "timeZone",
  string | null
>;

export type RequestState =
  | { kind: "loading" }
  | { kind: "ready"; request: RecipientRequest }
  | { kind: "completed" }
  | Expired
  | { kind: "failed"; answer: Answer };

type Body = { message?: unknown; code?: unknown; params?: unknown };

export function toRequestState(answer: Answer): RequestState {
  if (answer.status === 200 && isRequest(answer.body)) return { kind: "ready", request: answer.body };
  return (answer.status === 410 && toGoneState(answer.body)) || { kind: "failed", answer };
}

/** The state of a link that no longer works, or null if the answer is about something else. */
export function toGoneState(body: unknown): RequestState | null {
  const { message, code, params }: Body = isRecord(body) ? body : {};
  const text = typeof message === "string" && message ? message : "This submission has expired";
  if (!text.includes("expired")) return null;
  if (code !== "expired") return { kind: "completed" };
  const known = isRecord(params) ? params : {};
  const param = (name: string) => {
    const value = known[name];
    return typeof value === "string" && value ? value : null;
  };
  return {
    kind: "expired",
    date: param("date"),
    name: param("name"),
    email: param("email"),
    expiresAt: param("expiresAt"),
    timeZone: param("timeZone"),
  };
}

function isRequest(body: unknown): body is RecipientRequest {
  return isRecord(body) && Array.isArray(body.documents) && isRecord(body.user);
}

/** First and last name, else the company name, else null. */
export function requestorName({ firstName, lastName, companyName }: RecipientRequest["user"]): string | null {
  return [firstName, lastName].filter(Boolean).join(" ").trim() || companyName || null;
}
