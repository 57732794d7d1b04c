import type { NotificationContext } from "../../../db/queries/notification-context";
import { type BrandShades, brandShades } from "../../contract/brand-colors";
import { shownLogoSize } from "../../contract/logo-size";
import type { LogoGround } from "../../contract/options";
import { PRODUCT_NAME } from "../../contract/product";
import type { Dependencies } from "../../dependencies";
import { causes } from "../../errors";
import { withDeadline } from "../../lib/retry";
import type { InlineImage } from "../../ports/mailer";
import { storedLogo } from "../files/stored-images";
import { oneLine, severalLines } from "./formats";

/** Whose name and logo a mail has in place of the product's. */
export type MailBrand = {
  name: string | null;
  logo: { width: number; height: number; readableOn: LogoGround | null; hasName: boolean } | null;
  shades: { light: BrandShades; dark: BrandShades } | null;
  footer: string | null;
};

/** What the mails to the recipients of a workspace look like; undefined for the product's own. */
export function mailBrandOf(
  { brand }: Pick<NotificationContext, "brand">,
  image: InlineImage | undefined,
): MailBrand | undefined {
  if (!brand) return undefined;
  const { color } = brand;
  const logo = image && storedLogo(brand);
  return {
    name: brandNameOf({ brand }) ?? null,
    logo: logo
      ? { ...shownLogoSize(logo), readableOn: brand.logoReadableOn, hasName: brand.logoHasName }
      : null,
    shades: color ? { light: brandShades(color, "light"), dark: brandShades(color, "dark") } : null,
    footer: brand.footer ? severalLines(brand.footer) : null,
  };
}

export const brandNameOf = ({ brand }: Pick<NotificationContext, "brand">): string | undefined =>
  (brand?.name && oneLine(brand.name)) || undefined;

/** What stands where the product's name would. */
export const senderOf = (brand: Pick<MailBrand, "name"> | undefined): string => brand?.name ?? PRODUCT_NAME;

/** A claimed message must not wait for a slow store until another process claims it. */
const LOGO_MS = 5000;

/** The brand's logo as a part of the mail. Without it, the mail is sent nevertheless. */
export async function loadLogo(
  { files, log }: Pick<Dependencies, "files" | "log">,
  { brand }: Pick<NotificationContext, "brand">,
): Promise<InlineImage | undefined> {
  const logo = storedLogo(brand);
  if (!logo) return undefined;
  const read = async () => {
    const stream = await files.read(logo.key);
    return stream && new Response(stream).bytes();
  };
  try {
    const bytes = await withDeadline(read(), LOGO_MS, () => new Error("The logo was not read in time"));
    if (!bytes) return undefined;
    const fileName = `logo.${logo.mimeType.slice("image/".length)}`;
    return { contentId: "logo", fileName, mimeType: logo.mimeType, base64: bytes.toBase64() };
  } catch (error) {
    log.error("logo not read", { error: causes(error) });
    return undefined;
  }
}
