declare global {
  interface Window {
    /** The reads that the head script has started, by path and query. */
    earlyReads?: Map<string, Promise<Response>> | undefined;
    /** Settles when the head script has started all of them. */
    allReadsStarted?: Promise<void> | undefined;
  }
}

/** Starts a read before the page's script is loaded. */
export function readEarly(path: string): Promise<Response> {
  window.earlyReads ??= new Map();
  const response = fetch(path);
  // Whoever takes it handles the failure.
  response.catch(() => undefined);
  window.earlyReads.set(path, response);
  return response;
}

/** `fetch`, with the response that the head script has requested for this read. Each is taken once. */
export async function fetchOrTakeEarly(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const early = isRead(init) && typeof input === "string" ? takeEarly(input) : undefined;
  return (await early?.catch(() => undefined)) ?? fetch(input, init);
}

const isRead = (init: RequestInit | undefined) => (init?.method ?? "GET") === "GET";

function takeEarly(url: string): Promise<Response> | undefined {
  if (!window.earlyReads?.size) return undefined;
  const { pathname, search } = new URL(url, location.origin);
  const response = window.earlyReads.get(pathname + search);
  window.earlyReads.delete(pathname + search);
  return response;
}

/** Forgets the reads that the first page did not need, which are outdated later. */
export function dropEarlyReads(): void {
  window.earlyReads = undefined;
}
