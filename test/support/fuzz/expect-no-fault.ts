import type { ApiResponse } from "../api/client";

/** @throws Error for a 5xx, or an error without a message */
export function expectNoFault(response: ApiResponse, what: unknown) {
  const known =
    response.status < 500 && (response.status < 400 || (response.body?.message && response.body?.code));
  if (!known)
    throw new Error(
      `${response.status} ${response.text.slice(0, 200)} for ${JSON.stringify(what).slice(0, 1000)}`,
    );
}
