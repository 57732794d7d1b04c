import { isRecord } from "../../../../worker/contract/is-record";
import {
  type ApiResponse,
  codeOf,
  onlyServers,
  parseBody,
  parseSeconds,
  submissionUrl,
} from "../request/submission-api";

/** The size of R2's parts, so that the server never combines a part from two requests. */
const CHUNK_BYTES = 8 * 1024 * 1024;
const MIN_CHUNK_BYTES = 256 * 1024;
/** A lost connection may never be reported. */
const STALLED_MS = 60_000;

/** A call that failed. */
export class CallError extends Error {
  /** The response's status is 0 unless it is the server's; `status` is that of any response. */
  constructor(
    readonly response: ApiResponse,
    readonly status = response.status,
  ) {
    super(`Status ${status}`);
  }

  /** Whether something between the page and the server refuses what is sent. */
  get isBlocked(): boolean {
    return this.response.status === 0 && BLOCKED.has(this.status);
  }
}

const BLOCKED: ReadonlySet<number> = new Set([403, 405, 413, 501]);

/** What the connection lets through, as far as it is known. */
const connection = {
  chunkBytes: CHUNK_BYTES,
  /** Methods that are sent as POST, since only that is let through. */
  asPost: new Set<string>(),
  /** The last chunk without a response. Some proxies close the connection instead of rejecting a large one. */
  lost: "",
};

/** Begins an upload. @returns its id. @throws CallError, as all calls below */
export async function createUpload(token: string, documentId: number, file: File): Promise<string> {
  const created = await call("POST", uploadsUrl(token), {
    headers: {
      "Upload-Length": String(file.size),
      "Upload-Metadata": metadataOf({ document: String(documentId), ...identityOf(file) }),
    },
  });
  const id = created.getResponseHeader("Location")?.split("/").at(-1);
  if (created.status !== 201 || !id) throw failureOf(created, false);
  return id;
}

/**
 * Whether an upload was started with this very file: by name and last change, which only its metadata contains. The caller
 * has compared the size.
 */
export async function isUploadOf(token: string, id: string, file: File): Promise<boolean> {
  try {
    const upload = await call("HEAD", uploadUrl(token, id));
    const pairs = (upload.getResponseHeader("Upload-Metadata") ?? "").split(",");
    return metadataOf(identityOf(file))
      .split(",")
      .every((pair) => pairs.includes(pair));
  } catch (error) {
    if (error instanceof CallError && error.response.status === 404) return false;
    throw error;
  }
}

type SendOptions = {
  signal: AbortSignal;
  /** Where the file continues if the server's offset cannot be read; null if it is not known. */
  start: number | null;
  onStored: (bytes: number) => void;
  /** How many bytes are stored or on their way. */
  onProgress: (bytes: number) => void;
};

/** Sends the bytes that the server does not have. */
export async function sendFile(
  token: string,
  id: string,
  file: File,
  { signal, start: known, onStored, onProgress }: SendOptions,
): Promise<void> {
  const url = uploadUrl(token, id);
  let offset = await readOffset(url, signal, known);
  while (offset < file.size) {
    const start = offset;
    onStored(start);
    const body = file.slice(start, start + connection.chunkBytes);
    try {
      const sent = await call("PATCH", url, {
        headers: { "Content-Type": "application/offset+octet-stream", "Upload-Offset": String(start) },
        body,
        signal,
        onProgress: (bytes) => onProgress(start + bytes),
      });
      offset = offsetOf(sent);
      if (offset <= start) throw failureOf(sent, false);
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      if (error.status === 0 && !signal.aborted) shrinkAfterLosses(`${id} ${start}`, body.size);
      const stored = storedOffset(error);
      if (stored !== null && stored !== start) offset = stored;
      else if (error.status !== 413 || !error.isBlocked || !shrinkChunks(body.size)) throw error;
    }
  }
}

/** The server's offset; `known` if something in between does not let it through. */
async function readOffset(url: string, signal: AbortSignal, known: number | null): Promise<number> {
  try {
    return offsetOf(await call("HEAD", url, { signal }));
  } catch (error) {
    const isForeign = error instanceof CallError && error.response.status === 0 && error.status > 0;
    if (isForeign && known !== null) return known;
    throw error;
  }
}

/** Where the upload continues according to the server, which has rejected another offset. */
function storedOffset({ response }: CallError): number | null {
  const { code, params } = isRecord(response.body) ? response.body : {};
  const offset = isRecord(params) ? params.offset : null;
  return code === "offset_mismatch" && typeof offset === "number" ? offset : null;
}

/** Halves the chunks until they are smaller than one that is too large for the connection. @returns whether they are */
function shrinkChunks(tooLarge: number): boolean {
  let bytes = CHUNK_BYTES;
  while (bytes >= tooLarge && bytes > MIN_CHUNK_BYTES) bytes /= 2;
  connection.chunkBytes = Math.min(connection.chunkBytes, bytes);
  return connection.chunkBytes < tooLarge;
}

export async function deleteUpload(token: string, id: string): Promise<void> {
  await call("DELETE", uploadUrl(token, id));
}

const uploadsUrl = (token: string) => `${submissionUrl(token)}/uploads`;
const uploadUrl = (token: string, id: string) => `${uploadsUrl(token)}/${encodeURIComponent(id)}`;

type CallOptions = {
  headers?: Record<string, string>;
  body?: Blob;
  signal?: AbortSignal;
  onProgress?: (bytes: number) => void;
};

/** Calls the server: with POST if the connection forbids the method. */
async function call(method: string, url: string, options: CallOptions = {}): Promise<XMLHttpRequest> {
  const { asPost } = connection;
  const override = { ...options.headers, "X-HTTP-Method-Override": method };
  try {
    if (!asPost.has(method)) return await send(method, url, options);
  } catch (error) {
    if (method === "POST" || !(error instanceof CallError) || !mayBeForbidden(error)) throw error;
  }
  try {
    const response = await send("POST", url, { ...options, headers: override });
    asPost.add(method);
    return response;
  } catch (error) {
    if (error instanceof CallError && error.response.status > 0) asPost.add(method);
    // The next attempt begins with the method itself.
    else if (error instanceof CallError && error.status > 0) asPost.delete(method);
    throw error;
  }
}

/** Whether a response that is not the server's may be about the method. */
const mayBeForbidden = ({ response, status }: CallError): boolean =>
  response.status === 0 && status >= 400 && status <= 501 && ![408, 413, 429, 500].includes(status);

/** Makes chunks smaller each time that the same one is lost again, of which nothing is stored. */
function shrinkAfterLosses(chunk: string, bytes: number): void {
  if (connection.lost === chunk) shrinkChunks(bytes);
  connection.lost = chunk;
}

/** Sends with XMLHttpRequest, because `fetch` does not report how much of the body was sent. */
function send(method: string, url: string, options: CallOptions): Promise<XMLHttpRequest> {
  const { headers = {}, body, signal, onProgress } = options;
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    let stalled = setTimeout(abort, STALLED_MS);
    request.upload.onprogress = ({ loaded }) => {
      clearTimeout(stalled);
      stalled = setTimeout(abort, STALLED_MS);
      onProgress?.(loaded);
    };
    request.onloadend = () => {
      clearTimeout(stalled);
      signal?.removeEventListener("abort", abort);
      // Only a response with a header of the protocol is the server's, or one with a code of ours.
      const isServers = ["Tus-Resumable", "Upload-Offset"].some(
        (name) => request.getResponseHeader(name) !== null,
      );
      if (isServers && request.status >= 200 && request.status < 300) resolve(request);
      else reject(failureOf(request, isServers));
    };
    request.open(method, url);
    for (const [name, value] of Object.entries({ "Tus-Resumable": "1.0.0", ...headers }))
      request.setRequestHeader(name, value);
    signal?.addEventListener("abort", abort);
    request.send(body);
    if (signal?.aborted) abort();
  });
}

function failureOf(request: XMLHttpRequest, isServers: boolean): CallError {
  const { status, responseText } = request;
  const retryAfter = parseSeconds(request.getResponseHeader("Retry-After"));
  const response: ApiResponse = { status, body: parseBody(responseText), retryAfter };
  return new CallError(onlyServers(response, isServers || codeOf(response) !== null), status);
}

function offsetOf(request: XMLHttpRequest): number {
  const offset = Number.parseInt(request.getResponseHeader("Upload-Offset") ?? "", 10);
  if (Number.isNaN(offset)) throw failureOf(request, false);
  return offset;
}

const identityOf = ({ name, lastModified }: File) => ({
  filename: name,
  lastmodified: String(lastModified),
});

function metadataOf(pairs: Record<string, string>): string {
  return Object.entries(pairs)
    .map(([name, value]) => `${name} ${base64(value)}`)
    .join(",");
}

const base64 = (text: string) => btoa(String.fromCharCode(...new TextEncoder().encode(text)));
