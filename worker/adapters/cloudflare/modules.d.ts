/** The part of workerd's modules that is used here: its published types do not export it. */
declare module "cloudflare:workers" {
  export function waitUntil(promise: Promise<unknown>): void;
}

declare module "cloudflare:sockets" {
  import type { Socket } from "@cloudflare/workers-types";

  export function connect(address: { hostname: string; port: number }): Pick<Socket, "opened" | "close"> & {
    readable: ReadableStream<Uint8Array>;
    writable: WritableStream<Uint8Array>;
  };
}
