/** Text that nobody else has, for an Idempotency-Key. Also without a secure context. */
export const randomText = () =>
  Array.from(crypto.getRandomValues(new Uint32Array(4)), (number) => number.toString(36)).join("");
