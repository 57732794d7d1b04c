/** The context of each kind of encrypted secret, so that one cannot be used in place of another. */
export const SEALED_CONTEXTS = {
  /** Of `totp.sealedSecret` and `totp.pendingSecret`. */
  totp: (userId: number) => `totp:${userId}`,
};
