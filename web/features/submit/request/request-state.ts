import type { Brand } from "../../../../worker/contract/brand";
import type { LinkView } from "../../../../worker/contract/error-body";
import { isRecord } from "../../../../worker/contract/is-record";
import type { Language } from "../../../../worker/contract/options";
import type { Answer } from "../../../../worker/contract/questions";
import type { SkipAnswer } from "../files/document-files";
import {
  type ApiResponse,
  codeOf,
  onlyServers,
  type RecipientRequest,
  type RequestedDocument,
} from "./submission-api";

/** A link whose last day is over, according to the server. */
type Expired = { kind: "expired"; brand: Brand | null; language: Language | null } & Record<
  "date" | "name" | "email" | "expiresAt" | "timeZone",
  string | null
>;

/** What was submitted, as far as the server shows it to the holder of the link. */
export type Submission = {
  submittedAt: string;
  files: readonly SubmittedFile[];
  /** Known only where they were submitted. */
  answers?: readonly SubmittedAnswer[];
  /** What was asked and is not in it. Known only where it was submitted. */
  left?: readonly LeftOut[];
};

/** The answer is null if it is confidential. */
export type SubmittedAnswer = Pick<RequestedDocument, "name" | "kind" | "format"> & { answer: Answer | null };

/** The reason is empty where none was given. */
export type LeftOut = Pick<RequestedDocument, "name" | "kind"> & SkipAnswer;

/** `sha256` is known only where the file was submitted. */
export type SubmittedFile = {
  documentName: string;
  fileName: string;
  fileSize: number;
  sha256?: string | null;
};

/** What the page shows of the request once it is submitted. */
export type SubmittedRequest = Pick<RecipientRequest, "title" | "subject" | "user">;

/** `request` is known only on the device that submitted it. */
export type Receipt = Submission & { request: SubmittedRequest | null };

export const isSubmittedFile = (file: unknown): file is SubmittedFile =>
  isRecord(file) && typeof file.documentName === "string" && typeof file.fileName === "string";

export type RequestState =
  | { kind: "loading" }
  | { kind: "ready"; request: RecipientRequest }
  | {
      kind: "completed";
      brand: Brand | null;
      language: Language | null;
      submission: Submission | null;
    }
  | Expired
  | { kind: "failed"; response: ApiResponse };

type Body = Partial<Record<"params" | "submittedAt" | "files", unknown>> & Partial<LinkView>;

export function toRequestState(response: ApiResponse): RequestState {
  if (response.status === 200 && isRequest(response.body))
    return { kind: "ready", request: withDefaults(response.body) };
  return (
    toGoneState(response) ?? { kind: "failed", response: onlyServers(response, codeOf(response) !== null) }
  );
}

/** The state of a link that no longer works, or null if the response is about something else. */
export function toGoneState(response: ApiResponse): RequestState | null {
  const { body } = response;
  const { params, submittedAt, files, ...view }: Body = isRecord(body) ? body : {};
  const link = { brand: view.brand ?? null, language: view.language ?? null };
  const code = codeOf(response);
  if (code === "completed") {
    const known = typeof submittedAt === "string" && Array.isArray(files);
    return {
      kind: "completed",
      ...link,
      submission: known ? { submittedAt, files: files.filter(isSubmittedFile) } : null,
    };
  }
  if (code !== "expired") return null;
  const known = isRecord(params) ? params : {};
  const param = (name: string) => {
    const value = known[name];
    return typeof value === "string" && value ? value : null;
  };
  return {
    kind: "expired",
    ...link,
    date: param("date"),
    name: param("name"),
    email: param("email"),
    expiresAt: param("expiresAt"),
    timeZone: param("timeZone"),
  };
}

/** The specification promises only some of the fields. */
const withDefaults = (request: RecipientRequest): RecipientRequest => ({
  ...{ recipient: { name: "", email: "" }, maxFileSize: 100 * 2 ** 20 },
  ...request,
  documents: request.documents.map((document, index) => ({
    ...{ id: index, kind: "file", files: [], attachments: [], options: [] },
    ...document,
  })),
});

function isRequest(body: unknown): body is RecipientRequest {
  return isRecord(body) && Array.isArray(body.documents) && isRecord(body.user);
}

/** First and last name, else the company name, else null. */
export function requestorName({ firstName, lastName, companyName }: RecipientRequest["user"]): string | null {
  return [firstName, lastName].filter(Boolean).join(" ").trim() || companyName || null;
}
