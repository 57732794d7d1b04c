import * as z from "zod";

export const id = z.int().positive();
export const moment = z.string().meta({ format: "date-time" });
export const day = z.string().meta({ format: "date" });
export const text = z.string();
export const bytes = z.int().nonnegative();
export const count = z.int().nonnegative();
