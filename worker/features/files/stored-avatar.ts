import { AVATAR_TYPES } from "../../contract/files";

type AvatarColumns = { avatarUrl: string | null; avatarMimeType: string | null; avatarSize: number | null };

const UPLOADS = "/uploads/";

/** Where an account's picture is stored, if it has one. */
export function storedAvatar({ avatarUrl, avatarMimeType, avatarSize }: AvatarColumns) {
  const mimeType = AVATAR_TYPES.find((type) => type === avatarMimeType);
  if (!avatarUrl?.startsWith(UPLOADS) || !mimeType || !avatarSize) return undefined;
  return { key: avatarUrl.slice(UPLOADS.length), mimeType, fileSize: avatarSize };
}
