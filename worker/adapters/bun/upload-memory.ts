import { gc } from "bun";
import type { FileStore } from "../../ports/file-store";

const MB = 1024 * 1024;

type Options = { everyBytes?: number; uploads?: number; collect?: () => void };

/**
 * The store, with the memory of what went through it given back in time: of twenty uploads at once Bun would let
 * some 100 MB of read bytes lie about before it collects them. A collection stops the process for about 20 ms;
 * fewer uploads than `uploads` leave too little behind to be worth it.
 */
export function returnUploadMemory(
  store: FileStore,
  { everyBytes = 16 * MB, uploads = 4, collect = () => gc(true) }: Options = {},
): FileStore {
  let round = 0;
  let bytes = 0;
  let writers = 0;
  const endRound = () => {
    if (writers >= uploads) collect();
    round += 1;
    bytes = 0;
    writers = 0;
  };
  return {
    ...store,
    async create(key) {
      const writer = await store.create(key);
      let countedIn = -1;
      return {
        ...writer,
        async write(chunk) {
          await writer.write(chunk);
          if (countedIn !== round) writers += 1;
          countedIn = round;
          bytes += chunk.length;
          if (bytes >= everyBytes) endRound();
        },
      };
    },
  };
}
