import * as z from "zod/mini";
import { count, entity } from "./fields";
import { LOGO_GROUNDS } from "./options";

const logoSize = { width: count, height: count };

export const logoResponse = z.object(logoSize);

/** How the sender of a link looks. Each field that is not set is null. */
export const brandResponse = entity("Brand", {
  name: z.nullable(z.string()),
  color: z
    .nullable(z.string())
    .check(z.describe("`#rrggbb`, as it was entered; the page computes readable shades of it")),
  footer: z.nullable(z.string()),
  logo: z.nullable(
    z.object({
      url: z.string(),
      ...logoSize,
      readableOn: z
        .nullable(z.enum(LOGO_GROUNDS))
        .check(z.describe("The themes in which it needs no plate; null if nobody has measured it")),
      hasName: z.boolean().check(z.describe("Whether it contains the name")),
    }),
  ),
});

export type Brand = z.output<typeof brandResponse>;
