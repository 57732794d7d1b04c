import { close, fsync, open, read, unlink, write } from "node:fs";
import { promisify } from "node:util";

const openFd = promisify(open);
const closeFd = promisify(close);
const syncFd = promisify(fsync);
const readFd = promisify(read);
const writeFd = promisify(write);

export type OpenFile = {
  /** Writes all of the bytes: the system may take fewer at a time than it is given. */
  write(bytes: Uint8Array): Promise<void>;
  /** Reads into the chunk and tells how many bytes there were. */
  read(chunk: Uint8Array, position: number): Promise<number>;
  /** Resolves once what was written is on the disk. */
  sync(): Promise<void>;
  /** Harmless the second time. */
  close(): Promise<void>;
};

type OpenDescriptor = { fd: number; temporaryPath?: string };

const ignore = () => {};
const unclosedFiles = new FinalizationRegistry<OpenDescriptor>(({ fd, temporaryPath }) => {
  close(fd, ignore);
  if (temporaryPath) unlink(temporaryPath, ignore);
});

/**
 * Opens a file. Node's own FileHandle ends the whole process when it is collected unclosed, as happens to
 * whatever hangs on a connection that is gone; this one is closed quietly, and with `temporary` removed.
 */
export async function openFile(
  path: string,
  flags: "r" | "wx",
  options: { temporary?: boolean } = {},
): Promise<OpenFile> {
  const fd = await openFd(path, flags, 0o600);
  const token = {};
  let isOpen = true;
  const file: OpenFile = {
    async write(bytes) {
      for (let offset = 0; offset < bytes.length; ) {
        const { bytesWritten } = await writeFd(fd, bytes, offset, bytes.length - offset, null);
        offset += bytesWritten;
      }
    },
    async read(chunk, position) {
      return (await readFd(fd, chunk, 0, chunk.length, position)).bytesRead;
    },
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
