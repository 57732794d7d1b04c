export interface PasswordHasher {
  /**
   * Does work that hashes when its turn comes: a hash takes a core for a fifth of a second, so that many at once
   * would leave nothing for anybody else. @throws AppError `unavailable` where too many wait already
   */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
  /** A PHC string with a random salt. */
  hash(password: string): Promise<string>;
  /** Whether the password matches; false for an invalid hash, in the same time. */
  verify(password: string, hash: string): Promise<boolean>;
}
