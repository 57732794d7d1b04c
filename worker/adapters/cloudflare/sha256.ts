import { createHash, type Hash } from "node:crypto";
import type { CreateSha256, Sha256 } from "../../ports/sha256";

/** As quick as `crypto.DigestStream`, which ends with the request that opened it and cannot be copied. */
export const createSha256: CreateSha256 = () => wrap(createHash("sha256"));

const wrap = (hash: Hash): Sha256 => ({
  update: (bytes) => void hash.update(bytes),
  copy: () => wrap(hash.copy()),
  digest: () => hash.digest("hex"),
});
