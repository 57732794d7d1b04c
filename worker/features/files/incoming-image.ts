import { AVATAR_TYPES, LOGO_TYPES } from "../../contract/files";
import { SERVER_LIMITS } from "../../contract/limits";
import type { Dependencies } from "../../dependencies";
import { appError } from "../../errors";
import { detectType } from "../../lib/file-types";
import type { ImageSize } from "../../lib/image-size";
import { readMultipart } from "../../lib/multipart";
import {
  type AcceptedFile,
  finishOne,
  type IncomingFiles,
  type UploadBody,
  type UploadedFile,
  withIncomingFiles,
} from "./incoming-files";
import { reserveUnlimited } from "./upload-lease";

/** The images outside envelopes, and their types. Each is the only field of a multipart body. */
const TYPES = { avatar: AVATAR_TYPES, logo: LOGO_TYPES };
type Image = keyof typeof TYPES;

/** The errors of both. */
export const IMAGE_ERRORS = [
  "infected_avatar",
  "scanner_unavailable",
  "malformed_multipart",
  "multipart_required",
  "upload_interrupted",
  "upload_too_slow",
] as const;

const accepted = (image: Image): AcceptedFile<Image> => ({
  about: image,
  extension: "",
  maxBytes: SERVER_LIMITS[image],
  tooLarge: () => appError(`${image}_too_large`, { params: { maxMb: SERVER_LIMITS[image] / 1024 / 1024 } }),
  empty: () => appError(`${image}_missing`),
  async typeOf(sample) {
    const detected = await detectType(sample);
    const type = TYPES[image].find((allowed) => allowed === detected);
    if (!type) throw appError(`${image}_type_not_allowed`);
    return type;
  },
});

/** Like `withIncomingFiles`, for an image of the account: `work` calls `receiveImage`, `finishImage` and `record`. */
export function withIncomingImage<Result>(
  deps: Dependencies,
  image: Image,
  userId: number,
  work: (incoming: IncomingFiles<Image>) => Promise<Result>,
): Promise<Result> {
  return withIncomingFiles(deps, reserveUnlimited(deps, userId, SERVER_LIMITS[image]), work);
}

/**
 * Checks and stores the bytes.
 * @returns the size that they declare: whoever shows the image decodes that many pixels
 * @throws AppError `…_missing`, `…_type_not_allowed` also without a readable header, `…_too_many_pixels`
 */
export async function receiveImage(
  incoming: IncomingFiles<Image>,
  image: Image,
  upload: UploadBody,
): Promise<ImageSize> {
  // A JPEG image has its size after its metadata.
  const received = new Uint8Array(SERVER_LIMITS[image]);
  let length = 0;
  const keep = (chunk: Uint8Array) => {
    const part = chunk.subarray(0, received.length - length);
    received.set(part, length);
    length += part.length;
  };
  for await (const { name, fileName, bytes } of readMultipart(upload, { maxParts: 1 })) {
    if (name !== image || fileName === undefined) throw appError(`${image}_missing`);
    await incoming.receive(tapped(bytes, keep), accepted(image));
  }
  await upload.checkAgain?.();
  if (length === 0) throw appError(`${image}_missing`);
  const bytes = received.subarray(0, length);
  const { readImageSize } = await import("../../lib/image-size");
  const size = readImageSize(bytes, (await detectType(bytes)) ?? "");
  if (!size) throw appError(`${image}_type_not_allowed`);
  if (Math.max(size.width, size.height) > SERVER_LIMITS.imagePixels)
    throw appError(`${image}_too_many_pixels`, { params: { max: SERVER_LIMITS.imagePixels } });
  return size;
}

async function* tapped(chunks: AsyncIterable<Uint8Array>, tap: (chunk: Uint8Array) => void) {
  for await (const chunk of chunks) {
    tap(chunk);
    yield chunk;
  }
}

export const finishImage = (incoming: IncomingFiles<Image>, image: Image): Promise<UploadedFile<Image>> =>
  finishOne(incoming, { missing: `${image}_missing`, infected: "infected_avatar" });
