import { afterAll } from "bun:test";
import { runCleanup } from "./cleanup";
import { requireNamedTables } from "./named-tables";

requireNamedTables();

/** Preloaded by bunfig.toml, so that this hook runs once for all files. */
afterAll(runCleanup, 120_000);
