import * as z from "zod";
import { count, RESPONSES } from "./response-fields";

const logoSize = { width: count, height: count };

export const logoResponse = z.object(logoSize);

/** How the sender of a link looks. Each field that is not set is null. */
export const brandResponse = z
  .object({
    name: z.string().nullable(),
    color: z
      .string()
      .nullable()
      .describe("`#rrggbb`, as it was entered; the page computes readable shades of it"),
    footer: z.string().nullable(),
    logo: z.object({ url: z.string(), ...logoSize }).nullable(),
  })
  .register(RESPONSES, { id: "Brand" });

export type Brand = z.output<typeof brandResponse>;

/** A box that a logo is shown in, in pixels. */
const LOGO_BOX = { width: 160, height: 40 };

/** The size in which a logo is shown: as large as the box allows, and never larger than it is. */
export function shownLogoSize(logo: { width: number; height: number }, box = LOGO_BOX) {
  const scale = Math.min(1, box.width / logo.width, box.height / logo.height);
  const scaled = (side: number) => Math.max(1, Math.round(side * scale));
  return { width: scaled(logo.width), height: scaled(logo.height) };
}
