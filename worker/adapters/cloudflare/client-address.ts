import { countedAddress } from "../shared/client-address";

/**
 * The client's address as seen by Cloudflare, whose edge overwrites this header. A site without https runs on a
 * developer's machine without that edge, where anyone can set the header.
 */
export function clientAddress(request: Request, publicUrl: string): string {
  const header = publicUrl.startsWith("https:") ? request.headers.get("CF-Connecting-IP") : null;
  return countedAddress(header ?? "local");
}
