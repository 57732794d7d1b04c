import { insertAvatarDeletion } from "../../../db/queries/file-deletions";
import { findUserById, type User, updateUser } from "../../../db/queries/users";
import type { Dependencies } from "../../dependencies";
import { appError } from "../../errors";
import { deletePendingFiles } from "../files/file-deletions";
import type { UploadBody } from "../files/incoming-files";
import { finishImage, receiveImage, withIncomingImage } from "../files/incoming-image";

/** Replaces the user's picture with the one in the multipart body and deletes the old one. */
export async function changeAvatar(deps: Dependencies, user: User, upload: UploadBody): Promise<User> {
  const { db, clock, background } = deps;
  const changed = await withIncomingImage(deps, "avatar", user.id, async (incoming) => {
    await receiveImage(incoming, "avatar", upload);
    const { key, mimeType, size } = await finishImage(incoming, "avatar");
    await incoming.record([
      insertAvatarDeletion(db, user.id, clock.now().toISOString()),
      updateUser(db, user.id, { avatarUrl: `/uploads/${key}`, avatarMimeType: mimeType, avatarSize: size }),
    ]);
    const saved = await findUserById(db, user.id);
    if (!saved) throw appError("unauthenticated");
    return saved;
  });
  background.run("old avatar", () => deletePendingFiles(deps));
  return changed;
}
