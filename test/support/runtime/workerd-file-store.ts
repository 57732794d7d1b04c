import {
  type FileStore,
  type Progress,
  type ResumableFileStore,
  StoreUnavailableError,
  UploadLostError,
} from "../../../worker/ports/file-store";
import { startInstance } from "./workerd";

export type WorkerdFileStore = FileStore & {
  /** The store of resumable files beside it. */
  resumable: ResumableFileStore;
  /** Writes so many empty files. */
  fill(count: number): Promise<void>;
  /** Makes every use of the bucket fail, or lets it work again. */
  failR2(fail: boolean): Promise<void>;
  /** Uploads in parts that were begun in the bucket and neither completed nor aborted. */
  openUploads(): Promise<number>;
};

/** The R2 store as it runs in workerd, used from this process. */
export async function openWorkerdFileStore(): Promise<WorkerdFileStore> {
  const { origin, id, command } = await startInstance();
  const call = async (path: string, body?: BodyInit) => {
    const headers = { "x-test-instance": id, "x-test-command": "store", "accept-encoding": "identity" };
    const response = await fetch(`${origin}/${path}`, { method: "POST", headers, body });
    if (response.status !== 500) return response;
    const { kind, message } = await response.json();
    const Failure = { unavailable: StoreUnavailableError, lost: UploadLostError }[kind as string] ?? Error;
    throw new Failure(message);
  };
  const done = async (path: string, body?: BodyInit) => void (await (await call(path, body)).text());
  const of = (name: string) => `?of=${encodeURIComponent(name)}`;

  return {
    async create(key) {
      const writer = await (await call(`create${of(key)}`)).json();
      return {
        write: (chunk) => done(`write${of(writer)}`, new Uint8Array(chunk)),
        end: () => done(`finish${of(writer)}`, "end"),
        commit: () => done(`finish${of(writer)}`, "commit"),
        abort: () => done(`finish${of(writer)}`, "abort"),
      };
    },
    tryStoring: () => done("tryStoring"),
    async read(key, range) {
      const query = range ? `&offset=${range.offset}&length=${range.length}` : "";
      const response = await call(`read${of(key)}${query}`);
      return response.status === 404 ? null : (response.body ?? new Blob([]).stream());
    },
    resumable: {
      async requireSpace() {},
      async append(file, save) {
        const writer = await (await call("append", JSON.stringify(file))).json();
        return {
          async write(chunk) {
            const saved: Progress[] = await (
              await call(`appendMore${of(writer)}`, new Uint8Array(chunk))
            ).json();
            for (const progress of saved) await save(progress);
          },
          end: async () => (await call(`appendEnd${of(writer)}`)).json(),
          discard: () => done(`appendDiscard${of(writer)}`),
        };
      },
      finish: (file) => done("finishResumable", JSON.stringify(file)),
      abandon: (key, state) => done("abandon", JSON.stringify({ key, state })),
      async *listAbandoned(before) {
        yield* await (await call(`abandoned?before=${before.toISOString()}`)).json();
      },
    },
    remove: (keys) => done("remove", JSON.stringify(keys)),
    async *list(prefix = "") {
      yield* await (await call(`list${of(prefix)}`)).json();
    },
    listUnfinished: async () => [],
    olderThan: async (keys, milliseconds) =>
      (await call("olderThan", JSON.stringify({ keys, milliseconds }))).json(),
    removeOrphans: (keys) => done("removeOrphans", JSON.stringify(keys)),
    readOwner: async () => (await call("readOwner")).json(),
    writeOwner: (id, options) => done("writeOwner", JSON.stringify({ id, options })),
    fill: (count) => done(`fill${of(String(count))}`),
    failR2: (fail) => command("failR2", String(fail)),
    openUploads: () => command("openUploads"),
  };
}
