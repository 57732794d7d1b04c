import * as z from "zod/mini";
import { entity, personName, time } from "./fields";

export const unsubscriptionResponse = entity("Unsubscription", {
  sender: z.object({
    ...personName,
    email: z.string(),
  }),
  brandName: z
    .nullable(z.string())
    .check(z.describe("That of the sender's workspace, unless they are in several")),
  unsubscribedAt: z.nullable(time),
});
