import { Hono } from "hono";
import { ping } from "../../../db/queries/health";
import type { AppEnv } from "../../app-env";
import { appError, causes } from "../../errors";
import type { FileStore } from "../../ports/file-store";

/** No file has this name: what counts is that the store can say so. */
const NO_FILE = "ready-check";

/** Alive. */
export const healthRoutes = new Hono<AppEnv>().get("/", async (c) => {
  await ping(c.var.deps.db);
  return c.json({ status: "ok" as const });
});

/** Able to take work: the database and the store both answer, and the store takes bytes. */
export const readyRoutes = new Hono<AppEnv>().get("/", async (c) => {
  const { db, files, log } = c.var.deps;
  try {
    await Promise.all([ping(db), files.read(NO_FILE), tryWriting(files)]);
  } catch (error) {
    log.error("not ready", { error: causes(error) });
    throw appError("unavailable", { retryAfterSeconds: 5 });
  }
  return c.json({ status: "ready" as const });
});

/** Takes back what it writes before anybody could read it. Finds a disk that is full or cannot be written to. */
async function tryWriting(files: FileStore): Promise<void> {
  const writer = await files.create(NO_FILE);
  try {
    await writer.write(new Uint8Array(1));
  } finally {
    await writer.abort();
  }
}
