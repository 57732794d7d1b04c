import * as z from "zod";
import type { DocumentEntry } from "../documents";

export const id = z.int().positive();
export const moment = z.string().meta({ format: "date-time" });
export const day = z.string().meta({ format: "date" });
export const text = z.string();
export const bytes = z.int().nonnegative();
export const count = z.int().nonnegative();

/** What the requestor entered of a document. */
export const documentAnswer = {
  name: text,
  description: text.nullable(),
  required: z.boolean(),
  allowedFileTypes: z.array(text),
  multiple: z.boolean(),
} satisfies Record<keyof DocumentEntry, z.ZodType>;
