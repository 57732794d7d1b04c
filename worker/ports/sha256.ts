/** A SHA-256 that takes its bytes in turn. */
export interface Sha256 {
  update(bytes: Uint8Array): void;
  /** The hash so far, to continue apart from this one. */
  copy(): Sha256;
  /** In lower-case hexadecimal; nothing can be added afterwards. */
  digest(): string;
}

export type CreateSha256 = () => Sha256;
