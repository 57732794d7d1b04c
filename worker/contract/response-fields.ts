import * as z from "zod";

/** The named schemas of the OpenAPI document. Tests validate every response against them. */
export const RESPONSES = z.registry<{ id: string }>();

/** A schema for each field of an input, so that a response cannot lack one. */
export type SchemasOf<Fields> = { [Name in keyof Fields]: z.ZodType<Fields[Name]> };

export const id = z.int().positive();
export const time = z.string().meta({ format: "date-time" });
export const day = z.string().meta({ format: "date" });
export const bytes = z.int().nonnegative();
export const count = z.int().nonnegative();
