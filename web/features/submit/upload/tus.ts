import { type ApiResponse, parseJson, parseSeconds, submissionUrl } from "../request/submission-api";

/** The size of R2's parts, so that the server never combines a part from two requests. */
const CHUNK_BYTES = 8 * 1024 * 1024;
/** A lost connection may never be reported. */
const STALLED_MS = 60_000;

/** A call that failed. Status 0 means that there was no response. */
export class CallError extends Error {
  constructor(readonly response: ApiResponse) {
    super(`Status ${response.status}`);
  }
}

/** Begins an upload. @returns its id. @throws CallError, as all calls below */
export async function createUpload(token: string, documentId: number, file: File): Promise<string> {
  const created = await call("POST", uploadsUrl(token), {
    headers: {
      "Upload-Length": String(file.size),
      "Upload-Metadata": metadataOf({ document: String(documentId), ...identityOf(file) }),
    },
  });
  const id = created.getResponseHeader("Location")?.split("/").at(-1);
  if (created.status !== 201 || !id) throw new CallError(responseOf(created));
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
  /** How many bytes are stored on the server. */
  onStored: (bytes: number) => void;
  /** How many bytes are stored or on their way. */
  onProgress: (bytes: number) => void;
};

/** Sends the bytes that the server does not have. */
export async function sendFile(
  token: string,
  id: string,
  file: File,
  { signal, onStored, onProgress }: SendOptions,
): Promise<void> {
  const url = uploadUrl(token, id);
  let offset = offsetOf(await call("HEAD", url, { signal }));
  while (offset < file.size) {
    const start = offset;
    onStored(start);
    const sent = await call("PATCH", url, {
      headers: { "Content-Type": "application/offset+octet-stream", "Upload-Offset": String(start) },
      body: file.slice(start, start + CHUNK_BYTES),
      signal,
      onProgress: (bytes) => onProgress(start + bytes),
    });
    offset = offsetOf(sent);
    if (offset <= start) throw new CallError(responseOf(sent));
  }
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

/** Calls the server with XMLHttpRequest, because `fetch` does not report how much of the body was sent. */
function call(method: string, url: string, options: CallOptions = {}): Promise<XMLHttpRequest> {
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
      if (request.status >= 200 && request.status < 300) resolve(request);
      else reject(new CallError(responseOf(request)));
    };
    request.open(method, url);
    for (const [name, value] of Object.entries({ "Tus-Resumable": "1.0.0", ...headers }))
      request.setRequestHeader(name, value);
    signal?.addEventListener("abort", abort);
    request.send(body);
    if (signal?.aborted) abort();
  });
}

const responseOf = (request: XMLHttpRequest): ApiResponse => ({
  status: request.status,
  body: parseJson(request.responseText),
  retryAfter: parseSeconds(request.getResponseHeader("Retry-After")),
});

function offsetOf(request: XMLHttpRequest): number {
  const offset = Number.parseInt(request.getResponseHeader("Upload-Offset") ?? "", 10);
  if (Number.isNaN(offset)) throw new CallError(responseOf(request));
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
