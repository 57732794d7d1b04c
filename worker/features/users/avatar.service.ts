import { insertAvatarDeletion } from "../../../db/queries/file-deletions";
import { insertUploadLease } from "../../../db/queries/upload-leases";
import { findUserById, type User, updateUser } from "../../../db/queries/users";
import { AVATAR_TYPES } from "../../contract/files";
import { LIMITS } from "../../contract/limits";
import type { Dependencies } from "../../dependencies";
import { appError } from "../../errors";
import { detectType } from "../../lib/file-types";
import { deletePendingFiles } from "../files/file-deletions";
import type { FileRules } from "../files/incoming-file";
import { takeUpload, type UploadBody, type UploadedFile } from "../files/upload";

const FIELD = "avatar";

const RULES: FileRules = {
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
  const changed = await takeUpload<typeof FIELD, User>(deps, upload, {
    maxParts: 1,
    async reserve(leaseId) {
      const bytes = LIMITS.avatar;
      await insertUploadLease(db, { id: leaseId, keyPrefix: leaseId, userId: user.id, bytes });
      return Number.POSITIVE_INFINITY;
    },
    rejectField: () => appError("avatar_missing"),
    acceptFile({ name }) {
      if (name !== FIELD) throw appError("avatar_missing");
      return { about: FIELD, extension: "", rules: RULES };
    },
    requireComplete(files) {
      if (files.length === 0) throw appError("avatar_missing");
    },
    async record([picture], save) {
      if (!picture) throw appError("avatar_missing");
      requireClean(picture);
      const { key, mimeType, size } = picture;
      await save([
        insertAvatarDeletion(db, user.id, clock.now().toISOString()),
        updateUser(db, user.id, {
          avatarUrl: `/uploads/${key}`,
          avatarMimeType: mimeType,
          avatarSize: size,
        }),
      ]);
      const saved = await findUserById(db, user.id);
      if (!saved) throw appError("unauthenticated");
      return saved;
    },
  });
  background.run("old avatar", () => deletePendingFiles(deps));
  return changed;
}

/** @throws AppError `infected_avatar`; `scanner_unavailable`, because a picture can easily be uploaded again later */
function requireClean({ verdict }: UploadedFile<unknown>): void {
  if (verdict?.kind === "infected") throw appError("infected_avatar");
  if (verdict?.kind === "unknown") throw appError("scanner_unavailable", { retryAfterSeconds: 60 });
}
