import type { User } from "../../../db/queries/users";
import type { Dependencies } from "../../dependencies";
import { fileEntry, type ZipEntry, zipStream } from "../../lib/zip";
import { accountExportJson, archivePath, envelopePages } from "./account-export-json";

/**
 * All of the account's data as a ZIP archive: `data.json`, the picture, and the files of each envelope. Streamed, so
 * that its size does not matter.
 */
export function exportAccount(deps: Dependencies, user: User, sid: string): ReadableStream<Uint8Array> {
  return zipStream(entries(deps, user, sid));
}

async function* entries(deps: Dependencies, user: User, sid: string): AsyncGenerator<ZipEntry> {
  const { db, files, clock, log } = deps;
  const key = user.avatarUrl?.split("/").at(-1);
  const picture = key ? `picture.${user.avatarMimeType?.split("/").at(-1)}` : null;
  const lastModified = clock.now();
  yield { name: "data.json", input: accountExportJson(deps, user, { sid, picture }), lastModified };
  const image = key && (await files.read(key));
  if (picture && image) yield* fileEntry(image, { name: picture, lastModified });
  for await (const page of envelopePages(db, user.id)) {
    for (const envelope of page) {
      for (const file of envelope.submissions) {
        const name = archivePath(envelope, file);
        const bytes = name && (await files.read(file.filePath));
        const entry = { size: file.fileSize, lastModified: new Date(file.createdAt) };
        if (name && bytes) yield* fileEntry(bytes, { name, ...entry });
        else if (name) log.error("file missing from an export", { file: file.filePath });
      }
    }
  }
}
