/** Only ends a test that would never end: a busy machine is slow. */
const LONGEST_MS = 200_000;
const PAUSE_MS = 10;

/** Repeats the call until its result is truthy, and returns it. */
export async function waitFor<ApiResponse>(
  what: string,
  call: () => ApiResponse | Promise<ApiResponse>,
): Promise<NonNullable<ApiResponse>> {
  for (const end = performance.now() + LONGEST_MS; performance.now() < end; await Bun.sleep(PAUSE_MS)) {
    const response = await call();
    if (response) return response;
  }
  throw new Error(`Waited ${LONGEST_MS / 1000} s for ${what}`);
}
