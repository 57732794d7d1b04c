export interface PasswordHasher {
  /** A PHC string with its own random salt. */
  hash(password: string): Promise<string>;
  /** Whether the password is the hash's; false for a hash that is not one, after the same time. */
  verify(password: string, hash: string): Promise<boolean>;
}
