import { countedAddress } from "../shared/client-address";

/**
 * The client's address as Cloudflare saw it: its edge replaces whatever a client writes into this header.
 * A site without https is not behind that edge but on a developer's machine, where anybody may write it.
 */
export function clientAddress(request: Request, publicUrl: string): string {
  const header = publicUrl.startsWith("https:") ? request.headers.get("CF-Connecting-IP") : null;
  return countedAddress(header ?? "local");
}
