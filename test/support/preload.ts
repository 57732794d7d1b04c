import { afterAll } from "bun:test";
import { runCleanup } from "./cleanup";

/** Preloaded by bunfig.toml, so that this hook runs once for all files. */
afterAll(runCleanup, 30_000);
