import { isPublicUrl } from "../../lib/public-address";
import { AddressError, type PublicFetch } from "../../ports/public-fetch";

/**
 * A Worker neither resolves names nor sees the address it connects to, so only the URL is checked. Its requests leave
 * from Cloudflare's network, from which the operator's private networks, loopback and metadata service are unreachable; a
 * flag in wrangler.toml keeps them from the servers behind its own zone.
 */
export const createPublicFetch =
  ({ allowPrivate }: { allowPrivate: boolean }): PublicFetch =>
  async (url, init) => {
    if (!allowPrivate && !isPublicUrl(url)) throw new AddressError("The address is not public");
    return fetch(url, { ...init, redirect: "manual" });
  };
