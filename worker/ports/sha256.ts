/** An incremental SHA-256. */
export interface Sha256 {
  update(bytes: Uint8Array): void;
  /** A copy of the state so far, which can be continued independently. */
  copy(): Sha256;
  /** In lower-case hexadecimal; ends the hash. */
  digest(): string;
}

export type CreateSha256 = () => Sha256;
