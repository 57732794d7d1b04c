import * as z from "zod";
import { count, RESPONSES } from "./fields";

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
