import type { StoredBrand } from "../../../db/queries/brands";
import { AVATAR_TYPES, LOGO_TYPES } from "../../contract/files";

type AvatarColumns = { avatarUrl: string | null; avatarMimeType: string | null; avatarSize: number | null };

const UPLOADS = "/uploads/";

/** Where an account's picture is stored, if it has one. */
export function storedAvatar({ avatarUrl, avatarMimeType, avatarSize }: AvatarColumns) {
  const mimeType = AVATAR_TYPES.find((type) => type === avatarMimeType);
  if (!avatarUrl?.startsWith(UPLOADS) || !mimeType || !avatarSize) return undefined;
  return { key: avatarUrl.slice(UPLOADS.length), mimeType, fileSize: avatarSize };
}

/** Where a workspace's logo is stored, if it has one. */
export function storedLogo(brand: StoredBrand | null | undefined) {
  const mimeType = LOGO_TYPES.find((type) => type === brand?.logoMimeType);
  if (!brand?.logoUrl?.startsWith(UPLOADS) || !mimeType) return undefined;
  const { logoUrl, logoSize, logoWidth, logoHeight } = brand;
  if (!logoSize || !logoWidth || !logoHeight) return undefined;
  const key = logoUrl.slice(UPLOADS.length);
  return { key, mimeType, fileSize: logoSize, width: logoWidth, height: logoHeight };
}
