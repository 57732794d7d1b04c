import type { ByteRange } from "../../ports/file-store";

/**
 * The single range of a Range header (RFC 9110). Null means the whole file: there is no header, or one that may be
 * ignored. "unsatisfiable" means that the range is outside the file.
 */
export function parseRange(header: string | undefined, size: number): ByteRange | "unsatisfiable" | null {
  const [, first = "", last = ""] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? "") ?? [];
  if (first === "" && last === "") return null;
  if (first === "") {
    const length = Math.min(Number(last), size);
    return length > 0 ? { offset: size - length, length } : "unsatisfiable";
  }
  const offset = Number(first);
  const end = last === "" ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== "" && Number(last) < offset) return null;
  return offset < size ? { offset, length: end - offset + 1 } : "unsatisfiable";
}
