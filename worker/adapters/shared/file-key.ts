const KEY = /^[A-Za-z0-9_-]+(\.[A-Za-z0-9]+)?$/;

/** Refuses what cannot be a key of the app's own making, before it comes near a path. */
export function requireFileKey(key: string): string {
  if (!KEY.test(key)) throw new Error(`Not a file key: ${JSON.stringify(key)}`);
  return key;
}
