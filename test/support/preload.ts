import { afterAll } from "bun:test";
import { runCleanup } from "./cleanup";

/** Preloaded by bunfig.toml, which makes this hook one of the whole run and not of a single file. */
afterAll(runCleanup, 30_000);
