import type { StoredBrand } from "../../../db/queries/brands";
import { LOGO_TYPES } from "../../contract/files";

const UPLOADS = "/uploads/";

/** Where a workspace's logo is stored, if it has one. */
export function storedLogo(brand: StoredBrand | null | undefined) {
  const mimeType = LOGO_TYPES.find((type) => type === brand?.logoMimeType);
  if (!brand?.logoUrl?.startsWith(UPLOADS) || !mimeType) return undefined;
  const { logoUrl, logoSize, logoWidth, logoHeight } = brand;
  if (!logoSize || !logoWidth || !logoHeight) return undefined;
  const key = logoUrl.slice(UPLOADS.length);
  return { key, mimeType, fileSize: logoSize, width: logoWidth, height: logoHeight };
}
