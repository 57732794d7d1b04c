/** The part of workerd's own modules that is used here: their types are not in the importable ones. */
declare module "cloudflare:workers" {
  export function waitUntil(promise: Promise<unknown>): void;
}
