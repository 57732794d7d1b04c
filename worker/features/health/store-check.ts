import type { FileStore } from "../../ports/file-store";

/** No file has this key. The check only needs a response from the store. */
const NO_FILE = "ready-check";

/** Resolves if the store answers and accepts files. @throws StorageFullError, StoreUnavailableError */
export async function checkStore(files: FileStore): Promise<void> {
  await Promise.all([files.read(NO_FILE), files.tryStoring()]);
}
