/** Who waits for a hash: a client address, whether its browser is known, and an account. Each takes turns. */
export type Lane = readonly [address: string, browser: "known" | "new", account: string];

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
