/** The result of one fault: figures for the table, and all problems, of which there should be none. */
export type Outcome = { measured: Record<string, number | string>; problems: string[] };

export type RowOptions = {
  /** An empty folder, removed afterwards. */
  folder: string;
  seed: number;
  /** The long run takes minutes, the short one is part of the tests. */
  long: boolean;
  /** How many kills, where the row counts in them. */
  kills?: number | undefined;
};

export type Row = (options: RowOptions) => Promise<Outcome>;

/** The value below which `share` of the measured ones are, to a tenth. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return Math.round(value * 10) / 10;
}

/** Repeats the action until stopped. @returns the duration of each run, in milliseconds */
export function repeatTimed(work: () => Promise<unknown>, pauseMs = 10): () => Promise<number[]> {
  const taken: number[] = [];
  let stopped = false;
  const loop = async () => {
    while (!stopped) {
      const started = performance.now();
      await work();
      taken.push(performance.now() - started);
      await Bun.sleep(pauseMs);
    }
  };
  const running = loop();
  return async () => {
    stopped = true;
    await running;
    return taken;
  };
}
