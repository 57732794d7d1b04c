import { requireFileKey } from "../../../worker/adapters/shared/file-key";
import type { ResumableFileStore } from "../../../worker/ports/file-store";
import { UploadLostError } from "../../../worker/ports/file-store";
import type { MemoryFileStore } from "./memory-file-store";

/** For tests: stores unfinished files in memory, and moves them into the given store when they are complete. */
export function createMemoryResumableStore(store: MemoryFileStore): ResumableFileStore {
  const arriving = new Map<string, Blob>();
  return {
    async requireSpace() {},
    async append({ key, offset }, _save) {
      const before = arriving.get(requireFileKey(key)) ?? new Blob();
      if (before.size < offset) throw new UploadLostError("The file is shorter than its offset");
      const chunks: (Blob | Uint8Array<ArrayBuffer>)[] = [before.slice(0, offset)];
      return {
        async write(chunk) {
          chunks.push(new Uint8Array(chunk));
        },
        async end() {
          const bytes = new Blob(chunks);
          arriving.set(key, bytes);
          return { offset: bytes.size, state: "" };
        },
        async discard() {},
      };
    },
    async finish({ key }) {
      const bytes = arriving.get(key);
      if (bytes) store.files.set(key, bytes);
      arriving.delete(key);
    },
    async abandon(key) {
      arriving.delete(requireFileKey(key));
      store.files.delete(key);
    },
    async *listAbandoned() {},
  };
}
