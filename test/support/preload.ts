import { afterAll } from "bun:test";
import { runEndTasks } from "./cleanup";

/** Preloaded by bunfig.toml, which makes this hook one of the whole run and not of a single file. */
afterAll(runEndTasks, 30_000);
