const KEY = /^[A-Za-z0-9_-]+(\.[A-Za-z0-9]+)?$/;

/** Whether the app may have made it. What else lies in a folder or a bucket belongs to somebody else. */
export const isFileKey = (name: string): boolean => KEY.test(name);

/** Refuses what cannot be a key of the app's own making, before it comes near a path. */
export function requireFileKey(key: string): string {
  if (!isFileKey(key)) throw new Error(`Not a file key: ${JSON.stringify(key)}`);
  return key;
}
