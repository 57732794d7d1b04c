import { close, constants, fstat, fsync, open, read, unlink, write } from "node:fs";
import { rm } from "node:fs/promises";
import { promisify } from "node:util";
import { errorCode } from "./disk-errors";

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
 * Creates a file for writing, in place of one that an interrupted process left. Never follows a link: root may run this
 * in a folder of another user, who could have it write anywhere.
 */
export async function createTemporaryFile(path: string): Promise<OpenFile> {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
  const create = () => openFile(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, { temporary: true });
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await create();
    } catch (error) {
      if (errorCode(error) !== "EEXIST" || attempt === MAX_ATTEMPTS) throw error;
      await rm(path, { force: true });
    }
  }
}

/** Another process may create the same file at the same time. */
const MAX_ATTEMPTS = 5;

/** Linux: a file that never gets a name. */
const O_TMPFILE = 0o20200000;
/** Neither this system nor this file system has unnamed files. */
const UNSUPPORTED = new Set(["EOPNOTSUPP", "EISDIR", "EINVAL"]);

/** Writes a few bytes into the folder's file system. Nothing appears in the folder. @throws if they cannot be stored */
export async function tryWritingUnnamed(folder: string): Promise<void> {
  try {
    const fd = await openFd(folder, O_TMPFILE | constants.O_RDWR, 0o600);
    try {
      await writeFd(fd, new Uint8Array(1024), 0, 1024, null);
      await syncFd(fd);
    } finally {
      await closeFd(fd);
    }
  } catch (error) {
    if (!UNSUPPORTED.has(errorCode(error))) throw error;
  }
}

/**
 * Opens a file. Problem: Node's FileHandle crashes the process if it is garbage-collected while open, which happens to
 * files that belong to a dropped connection. This handle is closed silently instead, and a `temporary` file is
 * deleted.
 */
export async function openFile(
  path: string,
  flags: "r" | "r+" | "w" | "wx" | number,
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
