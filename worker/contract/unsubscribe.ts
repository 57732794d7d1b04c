import * as z from "zod/mini";
import { entity, time } from "./fields";

export const unsubscriptionResponse = entity("Unsubscription", {
  sender: z.object({
    firstName: z.nullable(z.string()),
    lastName: z.nullable(z.string()),
    companyName: z.nullable(z.string()),
    email: z.string(),
  }),
  brandName: z
    .nullable(z.string())
    .check(z.describe("That of the sender's workspace, unless they are in several")),
  unsubscribedAt: z.nullable(time),
});
