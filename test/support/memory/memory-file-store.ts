import { requireFileKey } from "../../../worker/adapters/shared/file-key";
import type { FileStore } from "../../../worker/ports/file-store";

/** For tests. While `failWith` is set, every operation fails with it. */
export type MemoryFileStore = FileStore & {
  files: Map<string, Blob>;
  /** Files that were created and neither committed nor aborted. */
  openWriters: number;
  failWith: Error | null;
  owner: string | null;
};

export function createMemoryFileStore(): MemoryFileStore {
  const mayFail = () => {
    if (store.failWith) throw store.failWith;
  };
  const store: MemoryFileStore = {
    files: new Map(),
    openWriters: 0,
    failWith: null,
    owner: null,
    async create(key) {
      requireFileKey(key);
      mayFail();
      return createWriter(store, mayFail, (bytes) => store.files.set(key, bytes));
    },
    tryStoring: async () => mayFail(),
    async read(key, range) {
      mayFail();
      const bytes = store.files.get(requireFileKey(key));
      if (!bytes) return null;
      return range ? bytes.slice(range.offset, range.offset + range.length).stream() : bytes.stream();
    },
    async remove(keys) {
      mayFail();
      for (const key of keys) store.files.delete(requireFileKey(key));
    },
    async *list(prefix = "") {
      mayFail();
      const keys = [...store.files.keys()].filter((key) => key.startsWith(prefix));
      if (keys.length > 0) yield keys;
    },
    listUnfinished: async () => [],
    // Its files have no time.
    olderThan: async (keys) => keys.filter((key) => store.files.has(key)),
    removeOrphans: (keys) => store.remove(keys),
    async readOwner() {
      mayFail();
      return store.owner;
    },
    async writeOwner(id, options) {
      mayFail();
      if (options?.replace || store.owner === null) store.owner = id;
    },
  };
  return store;
}

function createWriter(store: MemoryFileStore, mayFail: () => void, keep: (bytes: Blob) => void) {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let open = true;
  store.openWriters += 1;
  const close = () => {
    if (open) store.openWriters -= 1;
    open = false;
  };
  const attempt = (work: () => void) => {
    if (!open) throw new Error("The file is no longer being written");
    try {
      mayFail();
      work();
    } catch (error) {
      close();
      throw error;
    }
  };
  return {
    write: async (chunk: Uint8Array) => attempt(() => chunks.push(new Uint8Array(chunk))),
    end: async () => attempt(() => {}),
    commit: async () => {
      attempt(() => keep(new Blob(chunks)));
      close();
    },
    abort: async () => close(),
  };
}
