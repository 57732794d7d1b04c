export interface PasswordHasher {
  /**
   * Runs work that hashes when its turn comes: a hash takes a core for a fifth of a second, so concurrent hashes would
   * block everything else. @throws AppError `unavailable` if too many wait already
   */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
  /** A PHC string with a random salt. */
  hash(password: string): Promise<string>;
  /** Whether the password matches; false for an invalid hash, in the same time. */
  verify(password: string, hash: string): Promise<boolean>;
}
