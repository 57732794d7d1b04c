import { close, fstat, fsync, open, read, unlink, write } from "node:fs";
import { promisify } from "node:util";

const openFd = promisify(open);
const closeFd = promisify(close);
const syncFd = promisify(fsync);
const statFd = promisify(fstat);
const readFd = promisify(read);
const writeFd = promisify(write);

export type OpenFile = {
  /** Writes all of the bytes, appended or at the position: the system may write fewer at a time than requested. */
  write(bytes: Uint8Array, position?: number): Promise<void>;
  /** Reads into the chunk and returns the number of bytes read. */
  read(chunk: Uint8Array, position: number): Promise<number>;
  size(): Promise<number>;
  /** Resolves once the written bytes are on disk. */
  sync(): Promise<void>;
  /** May be called twice. */
  close(): Promise<void>;
};

type OpenDescriptor = { fd: number; temporaryPath?: string };

const ignore = () => {};
const unclosedFiles = new FinalizationRegistry<OpenDescriptor>(({ fd, temporaryPath }) => {
  close(fd, ignore);
  if (temporaryPath) unlink(temporaryPath, ignore);
});

/**
 * Opens a file. Problem: Node's FileHandle crashes the process if it is garbage-collected while open, which happens to
 * files that belong to a dropped connection. This handle is closed silently instead, and a `temporary` file is
 * deleted.
 */
export async function openFile(
  path: string,
  flags: "r" | "r+" | "w" | "wx",
  options: { temporary?: boolean } = {},
): Promise<OpenFile> {
  const fd = await openFd(path, flags, 0o600);
  const token = {};
  let isOpen = true;
  const file: OpenFile = {
    async write(bytes, position) {
      for (let offset = 0; offset < bytes.length; ) {
        const at = position === undefined ? null : position + offset;
        const { bytesWritten } = await writeFd(fd, bytes, offset, bytes.length - offset, at);
        offset += bytesWritten;
      }
    },
    async read(chunk, position) {
      return (await readFd(fd, chunk, 0, chunk.length, position)).bytesRead;
    },
    size: async () => (await statFd(fd)).size,
    sync: () => syncFd(fd),
    async close() {
      if (!isOpen) return;
      isOpen = false;
      unclosedFiles.unregister(token);
      await closeFd(fd);
    },
  };
  unclosedFiles.register(file, { fd, ...(options.temporary && { temporaryPath: path }) }, token);
  return file;
}
