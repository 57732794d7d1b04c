import { insertAvatarDeletion } from "../../../db/queries/file-deletions";
import { type User, updateUser } from "../../../db/queries/users";
import { AVATAR_TYPES } from "../../contract/files";
import { LIMITS } from "../../contract/limits";
import type { Dependencies } from "../../dependencies";
import { appError } from "../../errors";
import { randomFileKey } from "../../lib/file-names";
import { detectType } from "../../lib/file-types";
import { readMultipart } from "../../lib/multipart";
import { deletePendingFiles } from "../files/file-deletions";
import { discardFiles, type IncomingFile, receiveFile } from "../files/incoming-file";
import { scanUploads } from "../files/scanning";

const FIELD = "avatar";

/** Replaces the user's picture by the one in the multipart body; the old one is removed. */
export async function changeAvatar(
  deps: Dependencies,
  user: User,
  request: { body: ReadableStream<Uint8Array> | null; contentType: string | undefined },
): Promise<User> {
  const { db, files, clock, background } = deps;
  const received: IncomingFile[] = [];
  try {
    await readMultipart(request, avatarHandler(files, received), { maxParts: 1 });
    const [picture] = received;
    if (!picture) throw appError("avatar_missing");
    await picture.commit();
    await requireClean(deps, picture);
    const [, [changed]] = await db.batch([
      insertAvatarDeletion(db, user.id, clock.now().toISOString()),
      updateUser(db, user.id, {
        avatarUrl: `/uploads/${picture.key}`,
        avatarMimeType: picture.mimeType,
        avatarSize: picture.size,
      }),
    ]);
    if (!changed) throw appError("unauthenticated");
    await files.settle?.([picture.key]);
    background.run("old avatar", () => deletePendingFiles(deps));
    return changed;
  } catch (error) {
    await discardFiles(deps, received);
    throw error;
  }
}

/** @throws AppError `infected_avatar`; `scanner_unavailable`, since a picture is easily chosen again */
async function requireClean(deps: Dependencies, { key }: IncomingFile): Promise<void> {
  const [verdict] = (await scanUploads(deps, [key])) ?? [];
  if (verdict?.kind === "infected") throw appError("infected_avatar");
  if (verdict?.kind === "unknown") throw appError("scanner_unavailable", { retryAfterSeconds: 60 });
}

function avatarHandler(files: Dependencies["files"], received: IncomingFile[]) {
  return {
    async field(): Promise<never> {
      throw appError("avatar_missing");
    },
    async file({ name }: { name: string }) {
      if (name !== FIELD) throw appError("avatar_missing");
      const picture = await receiveFile(files, randomFileKey(""), {
        maxBytes: LIMITS.avatar,
        tooLarge: () => appError("avatar_too_large", { params: { maxMb: LIMITS.avatar / 1024 / 1024 } }),
        empty: () => appError("avatar_missing"),
        async typeOf(sample) {
          const detected = await detectType(sample);
          const type = AVATAR_TYPES.find((accepted) => accepted === detected);
          if (!type) throw appError("avatar_type_not_allowed");
          return type;
        },
      });
      received.push(picture);
      return picture;
    },
  };
}
