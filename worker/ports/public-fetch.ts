/**
 * A request to an address that a user has entered: follows no redirect and reaches no private address.
 * @throws AddressError for such an address; otherwise as `fetch`
 */
export type PublicFetch = (
  url: URL,
  init: {
    method: string;
    headers: Record<string, string>;
    body?: BodyInit | undefined;
    signal: AbortSignal;
  },
) => Promise<Response>;

/** The address is not public. */
export class AddressError extends Error {}
