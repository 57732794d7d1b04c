import * as z from "zod";
import { response, time } from "./response-fields";

export const unsubscriptionResponse = response("Unsubscription", {
  sender: z.object({
    firstName: z.string().nullable(),
    lastName: z.string().nullable(),
    companyName: z.string().nullable(),
    email: z.string(),
  }),
  unsubscribedAt: time.nullable(),
});
