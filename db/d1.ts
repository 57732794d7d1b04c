import type { D1Database } from "@cloudflare/workers-types";
import { drizzle } from "drizzle-orm/d1";
import type { Database } from "./client";
import * as schema from "./schema";

/** The database behind a Worker's D1 binding. */
export function openD1(binding: D1Database): Database {
  return drizzle(binding, { schema, casing: "snake_case" });
}
