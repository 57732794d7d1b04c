import { crc32 } from "node:zlib";

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const STORED = 0;

/** The files of a ZIP archive without compression, by name; throws if a checksum is wrong. */
export function readZip(archive: Uint8Array): Map<string, Uint8Array> {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  const end = archive.length - 22;
  if (view.getUint32(end, true) !== END) throw new Error("The archive has no end");
  const files = new Map<string, Uint8Array>();
  let index = view.getUint32(end + 16, true);
  for (let left = view.getUint16(end + 10, true); left > 0; left -= 1) {
    if (view.getUint32(index, true) !== ENTRY || view.getUint16(index + 10, true) !== STORED)
      throw new Error("Not an entry that is stored as it is");
    const size = view.getUint32(index + 24, true);
    const [nameLength, extra, comment] = [28, 30, 32].map((offset) => view.getUint16(index + offset, true));
    const header = view.getUint32(index + 42, true);
    const start = header + 30 + view.getUint16(header + 26, true) + view.getUint16(header + 28, true);
    const bytes = archive.subarray(start, start + size);
    const name = new TextDecoder().decode(archive.subarray(index + 46, index + 46 + (nameLength ?? 0)));
    if (crc32(bytes) !== view.getUint32(index + 16, true)) throw new Error(`${name} is damaged`);
    if (files.has(name)) throw new Error(`${name} is in the archive twice`);
    files.set(name, bytes);
    index += 46 + (nameLength ?? 0) + (extra ?? 0) + (comment ?? 0);
  }
  return files;
}
