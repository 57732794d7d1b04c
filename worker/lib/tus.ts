/** The headers of tus 1.0.0 (https://tus.io/protocols/resumable-upload). */

export const TUS_VERSION = "1.0.0";
export const TUS_EXTENSIONS = "creation,creation-with-upload,termination,expiration,checksum";
export const CHUNK_TYPE = "application/offset+octet-stream";

/** Whether a Content-Type is that of chunks. Media types are compared without case and parameters. */
export const isChunk = (contentType: string | undefined): boolean =>
  contentType?.split(";")[0]?.trim().toLowerCase() === CHUNK_TYPE;

const MAX_METADATA = 4096;

/** A whole number of bytes in a header; null if it is not one. */
export function parseBytes(header: string | undefined): number | null {
  return /^\d{1,15}$/.test(header ?? "") ? Number(header) : null;
}

/** The pairs of Upload-Metadata, `name base64` and so on; null if it is malformed. */
export function parseMetadata(header: string): Map<string, string> | null {
  const pairs = new Map<string, string>();
  if (header.length > MAX_METADATA) return null;
  for (const pair of header.split(",")) {
    const [, name, value = ""] = /^(\S+)(?: +([\w+/=-]*))?$/.exec(pair.trim()) ?? [];
    const text = decodeBase64(value);
    if (!name || pairs.has(name) || !text) return null;
    pairs.set(name, new TextDecoder().decode(text));
  }
  return pairs;
}

/** The digest of Upload-Checksum, in hexadecimal; null for another algorithm or an invalid digest. */
export function parseChecksum(header: string): string | null {
  const [, digest] = /^sha256 +([\w+/=-]+)$/i.exec(header.trim()) ?? [];
  const bytes = digest === undefined ? null : decodeBase64(digest);
  return bytes?.length === 32 ? bytes.toHex() : null;
}

function decodeBase64(text: string): Uint8Array | null {
  try {
    return Uint8Array.fromBase64(text);
  } catch {
    return null;
  }
}
