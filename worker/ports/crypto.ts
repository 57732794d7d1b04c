/** Encrypts secrets for the database with a key that is not in it. */
export interface SecretBox {
  /**
   * Encrypts the text for this context, such as `totp:17`; only `open` with the same context decrypts it.
   * @throws SecretKeyMissingError
   */
  seal(text: string, context: string): Promise<string>;
  /**
   * Decrypts what `seal` returned, also if it was sealed with an older key that is still known.
   * @throws SecretKeyMissingError, or another Error if the text is damaged or of another context
   */
  open(sealed: string, context: string): Promise<string>;
  /** Whether the text is sealed with the key that `seal` uses now. @throws SecretKeyMissingError */
  isCurrent(sealed: string): Promise<boolean>;
}

/** There is no key, or not the one that the text was sealed with. */
export class SecretKeyMissingError extends Error {}

/** The context of each kind of encrypted secret, so that one cannot be used in place of another. */
export const SEALED_CONTEXTS = {
  /** Of `totp.sealedSecret` and `totp.pendingSecret`. */
  totp: (userId: number) => `totp:${userId}`,
  /** Of `challenges.sealedCode` of a grant. */
  grant: (sid: string) => `grant:${sid}`,
  /** Of `answers.value`. */
  answer: (documentId: number) => `answer:${documentId}`,
  /** Of `destinations.credentials`. */
  destination: (workspaceId: number) => `destination:${workspaceId}`,
  /** Of `file_deliveries.session`. */
  delivery: (id: number) => `delivery:${id}`,
};

/**
 * Who waits for a hash. Browsers in which the account has signed in take turns with all others, by account: others may come
 * from more addresses than the queue has room for.
 */
export type Lane =
  | readonly [browser: "known", account: string]
  | readonly [browser: "new", address: string, account: string];

export interface PasswordHasher {
  /**
   * Runs work that hashes when its turn comes: a hash takes a core for a fifth of a second, so concurrent hashes would
   * block everything else.
   * @throws AppError `rate_limited` if too many of the lane wait already, `unavailable` if too many do altogether
   */
  inTurn<T>(lane: Lane, work: () => Promise<T>): Promise<T>;
  /** A PHC string with a random salt. */
  hash(password: string): Promise<string>;
  /** Whether the password matches; false for an invalid hash, in the same time. */
  verify(password: string, hash: string): Promise<boolean>;
}

/** An incremental SHA-256. */
export interface Sha256 {
  update(bytes: Uint8Array): void;
  /** A copy of the state so far, which can be continued independently. */
  copy(): Sha256;
  /** In lower-case hexadecimal; ends the hash. */
  digest(): string;
}

export type CreateSha256 = () => Sha256;
