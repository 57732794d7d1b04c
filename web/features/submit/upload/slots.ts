/** Runs at most `count` tasks at once; the others wait. */
export function createSlots(count: number) {
  let free = count;
  const waiting: (() => void)[] = [];
  return {
    async use<Result>(task: () => Promise<Result>): Promise<Result> {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await task();
      } finally {
        const next = waiting.shift();
        if (next) next();
        else free += 1;
      }
    },
  };
}
