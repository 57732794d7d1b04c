import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onCleanup } from "./cleanup";

/** A new empty folder, which is removed after all tests of this process. */
export function makeFolder(): string {
  const path = mkdtempSync(join(tmpdir(), "doculopes-"));
  onCleanup(() => rm(path, { recursive: true, force: true }));
  return path;
}
