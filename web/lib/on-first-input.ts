/** Calls `prepare` at the first key or pointer press, to load what may be needed soon. */
export function onFirstInput(prepare: () => void): void {
  const once = () => {
    removeEventListener("pointerdown", once);
    removeEventListener("keydown", once);
    prepare();
  };
  addEventListener("pointerdown", once);
  addEventListener("keydown", once);
}
