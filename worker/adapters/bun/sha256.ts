import { CryptoHasher } from "bun";
import type { CreateSha256, Sha256 } from "../../ports/crypto";

export const createSha256: CreateSha256 = () => wrap(new CryptoHasher("sha256"));

const wrap = (hash: CryptoHasher): Sha256 => ({
  update: (bytes) => void hash.update(bytes),
  copy: () => wrap(hash.copy()),
  digest: () => hash.digest("hex"),
});
