/** Input that outlives the panel it was typed in, for as long as the page lives. The key names whose it is. */
const kept = new Map<string, unknown>();

export function keepInput(key: string, input: unknown): void {
  kept.set(key, input);
}

export function dropInput(key: string): void {
  kept.delete(key);
}

export function keptInput<Input>(key: string, fallback: Input): Input {
  return kept.has(key) ? (kept.get(key) as Input) : fallback;
}
