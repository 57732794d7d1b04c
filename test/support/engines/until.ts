const TIMEOUT_MS = 60_000;
const PAUSE_MS = 25;

/** Polls until the answer is accepted. A page that is navigating cannot answer; that is not a failure. */
export async function until<ApiResponse>(
  ask: () => Promise<ApiResponse>,
  isAccepted: (response: ApiResponse) => boolean,
  timeoutMs = TIMEOUT_MS,
): Promise<ApiResponse> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const response = await ask().catch((error: Error) => error);
    if (!(response instanceof Error) && isAccepted(response)) return response;
    if (performance.now() > deadline)
      throw new Error(`Waited for ${timeoutMs / 1000} s; at last: ${response}`);
    await Bun.sleep(PAUSE_MS);
  }
}

export const isTrue = (response: unknown) => response === true;
