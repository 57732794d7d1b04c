/** Prepares, when a person begins to do something, what they may need a moment later. */
export function onFirstInput(prepare: () => void): void {
  const once = () => {
    removeEventListener("pointerdown", once);
    removeEventListener("keydown", once);
    prepare();
  };
  addEventListener("pointerdown", once);
  addEventListener("keydown", once);
}
