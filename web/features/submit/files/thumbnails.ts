import { isRecord } from "../../../../worker/contract/is-record";
import { readStoredJson, writeStored } from "../../../lib/storage";
import { tokenFromPath } from "../request/submission-api";
import { keyBeside } from "../wizard/saved-progress";

/** Twice the size on the page, for sharp screens. A picture then takes about 3 KB, and a text in it cannot be read. */
const SIDE = 88;
const QUALITY = 0.7;
/** The oldest are dropped: storage is shared by all links of this site. */
const MOST_STORED = 60;

const key = () => keyBeside(tokenFromPath(location.pathname), "thumbnails");

/** The thumbnails of this device as data URLs, by the id of the upload. The server never shows a file to the recipient. */
function load(): [uploadId: string, url: string][] {
  const stored = readStoredJson(key());
  const entries = isRecord(stored) && Array.isArray(stored.entries) ? stored.entries : [];
  return entries.filter(
    (entry): entry is [string, string] =>
      Array.isArray(entry) && typeof entry[0] === "string" && String(entry[1]).startsWith("data:image/jpeg"),
  );
}

function save(entries: [string, string][]): void {
  writeStored(key(), JSON.stringify({ savedAt: Date.now(), entries: entries.slice(-MOST_STORED) }));
}

export const storedThumbnail = (uploadId: string): string | null =>
  load().find(([id]) => id === uploadId)?.[1] ?? null;

export function removeThumbnail(uploadId: string | null): void {
  const entries = load();
  const others = entries.filter(([id]) => id !== uploadId);
  if (others.length < entries.length) save(others);
}

/** Stores a small copy of the picture, to be shown after a reload. */
export function storeThumbnail(uploadId: string, picture: HTMLImageElement): void {
  if (storedThumbnail(uploadId)) return;
  const canvas = document.createElement("canvas");
  canvas.width = SIDE;
  canvas.height = SIDE;
  const context = canvas.getContext("2d");
  const { naturalWidth: width, naturalHeight: height } = picture;
  if (!context || width === 0 || height === 0) return;
  const side = Math.min(width, height);
  // JPEG has no transparency.
  context.fillStyle = "white";
  context.fillRect(0, 0, SIDE, SIDE);
  context.drawImage(picture, (width - side) / 2, (height - side) / 2, side, side, 0, 0, SIDE, SIDE);
  save([...load(), [uploadId, canvas.toDataURL("image/jpeg", QUALITY)]]);
}
