import { chmod, link, mkdir, rename, rm, stat } from "node:fs/promises";
import { join, resolve, sep } from "node:path";
import type {
  Destination,
  DestinationAccess,
  DestinationProblem,
  OutgoingFile,
  PutOutcome,
} from "../../../ports/destination";
import { TEST_BYTES, testName } from "../../shared/destinations/http";
import { errorCode } from "../files/disk-errors";
import { syncPath } from "../files/durable-file";
import { openFile } from "../files/open-file";

const FULL = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);
const REFUSED = new Set(["EACCES", "EPERM", "EROFS", "ENOTDIR", "ENAMETOOLONG", "EINVAL", "ELOOP"]);
/** Of file systems without hard links. */
const NO_LINKS = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]);

/** Left in a folder that was tried: without it, the folder is that under a disk that is not mounted. */
const MARKER = ".doculopes";

/** A folder of this machine, such as a mounted NAS, below the one that the operator has chosen. */
export function createFolderDestination(root: string): Destination {
  const folderOf = ({ settings }: DestinationAccess, path: readonly string[] = []) => {
    const folder = join(resolve(root), settings.path ?? "", ...path);
    if (folder !== resolve(root) && !folder.startsWith(resolve(root) + sep))
      throw new Error("The path leads out of the folder");
    return folder;
  };
  const requireMounted = async (access: DestinationAccess) => {
    const { marker } = access.settings;
    if (marker !== undefined) await stat(join(folderOf(access), marker));
  };
  return {
    check: (access) =>
      orProblem(async () => {
        await requireMounted(access);
        const folder = await makeFolder(root, folderOf(access));
        const name = testName();
        await write(join(folder, name), new Blob([TEST_BYTES]).stream());
        await rename(join(folder, name), join(folder, MARKER));
        await syncPath(folder);
        return { kind: "works", path: name, settings: { marker: MARKER } };
      }),
    put: (access, file) =>
      orProblem(async () => {
        await requireMounted(access);
        return put(root, folderOf(access, file.folder), file);
      }),
  };
}

async function put(root: string, path: string, file: OutgoingFile): Promise<PutOutcome> {
  const folder = await makeFolder(root, path);
  const part = join(folder, `.${file.id}.part`);
  const target = join(folder, file.name);
  const [stored, found] = [await find(part), await find(target)];
  // An earlier attempt was interrupted after the file had its name.
  const isOurs = stored ? found?.ino === stored.ino && found?.dev === stored.dev : file.session === file.name;
  if (!(found?.size === file.size && isOurs)) {
    if (found) return { kind: "taken" };
    if (stored?.size !== file.size || file.session === null) {
      const size = await write(part, await file.read());
      if (size !== file.size)
        return { kind: "again", message: `${size} of ${file.size} bytes could be read` };
    }
    await file.saveSession(file.name);
    if (!(await giveName(part, target))) return { kind: "taken" };
  }
  await rm(part, { force: true });
  await syncPath(folder);
  return { kind: "written", url: null };
}

/** Gives the file a name that must be free. @returns whether it was */
async function giveName(part: string, target: string): Promise<boolean> {
  try {
    await link(part, target);
  } catch (error) {
    const code = errorCode(error);
    if (code === "EEXIST") return false;
    if (!NO_LINKS.has(code)) throw error;
    if (await find(target)) return false;
    await rename(part, target);
  }
  return true;
}

/** Makes the folder, with the permissions of the operator's. That itself must exist: it may be one that is not mounted. */
async function makeFolder(root: string, folder: string): Promise<string> {
  const { mode } = await stat(root);
  const first = await mkdir(folder, { recursive: true });
  for (let made = folder; first && made.length >= first.length; made = join(made, ".."))
    await chmod(made, mode & 0o777);
  return folder;
}

/** Writes the file with the permissions of its folder. @returns its size */
async function write(path: string, bytes: ReadableStream<Uint8Array>): Promise<number> {
  const { mode } = await stat(join(path, ".."));
  const file = await openFile(path, "w");
  let size = 0;
  try {
    for await (const chunk of bytes) {
      await file.write(chunk);
      size += chunk.length;
    }
    await chmod(path, mode & 0o666);
    await file.sync();
  } finally {
    await file.close();
  }
  return size;
}

const find = (path: string) =>
  stat(path).catch((error: unknown) => {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  });

async function orProblem<T>(work: () => Promise<T>): Promise<T | DestinationProblem> {
  try {
    return await work();
  } catch (error) {
    const code = errorCode(error);
    if (code === "") throw error;
    if (code === "ENOENT") return { kind: "missing", message: code };
    const kind = FULL.has(code) ? "full" : REFUSED.has(code) ? "refused" : "again";
    return { kind, message: code };
  }
}
