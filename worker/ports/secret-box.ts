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
};
