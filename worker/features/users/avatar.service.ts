import { insertAvatarDeletion } from "../../../db/queries/file-deletions";
import { insertUploadLease } from "../../../db/queries/upload-leases";
import { findUserById, type User, updateUser } from "../../../db/queries/users";
import { AVATAR_TYPES } from "../../contract/files";
import { LIMITS } from "../../contract/limits";
import type { Dependencies } from "../../dependencies";
import { appError } from "../../errors";
import { detectType } from "../../lib/file-types";
import { readMultipart } from "../../lib/multipart";
import { deletePendingFiles } from "../files/file-deletions";
import {
  type AcceptedFile,
  type UploadBody,
  type UploadedFile,
  withIncomingFiles,
} from "../files/incoming-files";
import { UNLIMITED } from "../files/upload-lease";

const FIELD = "avatar";

const PICTURE: AcceptedFile<typeof FIELD> = {
  about: FIELD,
  extension: "",
  maxBytes: LIMITS.avatar,
  tooLarge: () => appError("avatar_too_large", { params: { maxMb: LIMITS.avatar / 1024 / 1024 } }),
  empty: () => appError("avatar_missing"),
  async typeOf(sample) {
    const detected = await detectType(sample);
    const type = AVATAR_TYPES.find((accepted) => accepted === detected);
    if (!type) throw appError("avatar_type_not_allowed");
    return type;
  },
};

/** Replaces the user's picture with the one in the multipart body and deletes the old one. */
export async function changeAvatar(deps: Dependencies, user: User, upload: UploadBody): Promise<User> {
  const { db, clock, background } = deps;
  const reserve = async (leaseId: string) => {
    await insertUploadLease(db, { id: leaseId, keyPrefix: leaseId, userId: user.id, bytes: LIMITS.avatar });
    return UNLIMITED;
  };
  const changed = await withIncomingFiles<typeof FIELD, User>(deps, reserve, async (incoming) => {
    for await (const { name, fileName, bytes } of readMultipart(upload, { maxParts: 1 })) {
      if (name !== FIELD || fileName === undefined) throw appError("avatar_missing");
      await incoming.receive(bytes, PICTURE);
    }
    const [picture] = await incoming.finish();
    if (!picture) throw appError("avatar_missing");
    requireClean(picture);
    const { key, mimeType, size } = picture;
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

/** @throws AppError `infected_avatar`; `scanner_unavailable`, because a picture can easily be uploaded again later */
function requireClean({ verdict }: UploadedFile<unknown>): void {
  if (verdict?.kind === "infected") throw appError("infected_avatar");
  if (verdict?.kind === "unknown") throw appError("scanner_unavailable", { retryAfterSeconds: 60 });
}
