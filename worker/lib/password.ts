import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";
import type { PasswordHasher } from "../ports/crypto";
import { NO_QUEUE } from "./work-queue";

export type ScryptCost = { ln: number; r: number; p: number };

/** N = 2^14, r = 8, p = 5: the same on both runtimes, so that accounts can be migrated. */
const PRODUCTION_COST: ScryptCost = { ln: 14, r: 8, p: 5 };

const KEY_BYTES = 32;
const PHC = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** Hashes passwords with scrypt, as PHC strings: `$scrypt$ln=14,r=8,p=5$salt$key`. */
export function createScryptHasher(cost: ScryptCost = PRODUCTION_COST, queue = NO_QUEUE): PasswordHasher {
  return {
    inTurn: (lane, work) => queue.run(lane, work),
    async hash(password) {
      const salt = randomBytes(16);
      const key = await derive(password, salt, cost);
      return `$scrypt$ln=${cost.ln},r=${cost.r},p=${cost.p}$${unpadded(salt)}$${unpadded(key)}`;
    },
    async verify(password, hash) {
      const [, ln, r, p, salt, key] = PHC.exec(hash) ?? [];
      if (!ln || !r || !p || !salt || !key) {
        // An unknown account must take as long as a wrong password.
        await derive(password, Buffer.alloc(16), cost);
        return false;
      }
      const expected = Buffer.from(key, "base64");
      const actual = await derive(password, Buffer.from(salt, "base64"), {
        ln: Number(ln),
        r: Number(r),
        p: Number(p),
      });
      return expected.length === actual.length && timingSafeEqual(expected, actual);
    },
  };
}

function derive(password: string, salt: Buffer, cost: ScryptCost): Promise<Buffer> {
  const N = 2 ** cost.ln;
  const options: ScryptOptions = { N, r: cost.r, p: cost.p, maxmem: 256 * N * cost.r };
  return new Promise((resolve, reject) => {
    scrypt(password.normalize("NFC"), salt, KEY_BYTES, options, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}

const unpadded = (bytes: Buffer) => bytes.toString("base64").replace(/=+$/, "");
