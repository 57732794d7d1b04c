const FIRST_BYTES = 64 * 1024;

/** Collects bytes up to a maximum size without allocating it in advance. */
export class GrowingBuffer {
  #bytes = new Uint8Array(0);
  #length = 0;

  constructor(readonly capacity: number) {}

  get length(): number {
    return this.#length;
  }

  get isFull(): boolean {
    return this.#length === this.capacity;
  }

  /** Copies as much of the chunk as fits and returns the number of bytes copied. */
  fill(chunk: Uint8Array): number {
    const taken = Math.min(chunk.length, this.capacity - this.#length);
    this.#reserve(this.#length + taken);
    this.#bytes.set(chunk.subarray(0, taken), this.#length);
    this.#length += taken;
    return taken;
  }

  /** The collected bytes, as a view that the next `fill` may overwrite. */
  view(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Starts again in the same memory. */
  reset(): void {
    this.#length = 0;
  }

  /** Releases the memory. */
  free(): void {
    this.#bytes = new Uint8Array(0);
    this.#length = 0;
  }

  #reserve(needed: number): void {
    if (needed <= this.#bytes.length) return;
    const size = Math.min(this.capacity, Math.max(FIRST_BYTES, needed, this.#bytes.length * 2));
    const larger = new Uint8Array(size);
    larger.set(this.view());
    this.#bytes = larger;
  }
}
