import * as z from "zod";
import { RESPONSES, time } from "./fields";

export const unsubscriptionResponse = z
  .object({
    sender: z.object({
      firstName: z.string().nullable(),
      lastName: z.string().nullable(),
      companyName: z.string().nullable(),
      email: z.string(),
    }),
    unsubscribedAt: time.nullable(),
  })
  .register(RESPONSES, { id: "Unsubscription" });
