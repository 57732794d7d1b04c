import { makeZip } from "client-zip";
import type { User } from "../../../db/queries/users";
import type { Dependencies } from "../../dependencies";
import { envelopePages, fileInArchive, ownDataJson } from "./own-data";

/**
 * Everything the account holds as one ZIP archive: `data.json`, the picture, and each file under its envelope.
 * Made while it is read, a piece at a time, so that its size does not matter.
 */
export function exportAccount(deps: Dependencies, user: User, sid: string): ReadableStream<Uint8Array> {
  return makeZip(entries(deps, user, sid));
}

async function* entries(deps: Dependencies, user: User, sid: string) {
  const { db, files, clock, log } = deps;
  const key = user.avatarUrl?.split("/").at(-1);
  const picture = key ? `picture.${user.avatarMimeType?.split("/").at(-1)}` : null;
  const lastModified = clock.now();
  yield { name: "data.json", input: ownDataJson(deps, user, { sid, picture }), lastModified };
  const image = key && (await files.read(key));
  if (picture && image) yield { name: picture, input: image, lastModified };
  for await (const page of envelopePages(db, user.id)) {
    for (const { id, submissions } of page) {
      for (const file of submissions) {
        const name = fileInArchive(id, file);
        const input = name && (await files.read(file.filePath));
        if (name && input) yield { name, input, size: file.fileSize, lastModified: new Date(file.createdAt) };
        else if (name) log.error("file missing from an export", { file: file.filePath });
      }
    }
  }
}
