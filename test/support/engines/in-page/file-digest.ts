/** The SHA-256 of a file that the server sends to this visitor, in hexadecimal digits. */
export async function fileDigest(path: string): Promise<string> {
  const response = await fetch(path);
  const digest = await crypto.subtle.digest("SHA-256", await response.arrayBuffer());
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
