/** A longer one is no click. */
const LONGEST_PRESS_MS = 1000;

let press: Promise<void> | undefined;

if (typeof addEventListener === "function")
  addEventListener(
    "pointerdown",
    ({ button }: PointerEvent) => {
      if (button !== 0) return;
      const pressed = new Promise<void>((resolve) => {
        const ended = new AbortController();
        const end = () => {
          ended.abort();
          // The click is dispatched right after the end of the press.
          setTimeout(resolve);
        };
        setTimeout(end, LONGEST_PRESS_MS);
        for (const type of ["pointerup", "pointercancel"]) addEventListener(type, end, ended);
      }).then(() => {
        if (press === pressed) press = undefined;
      });
      press = pressed;
    },
    { capture: true },
  );

/**
 * Calls at once or, while something is pressed, once its click has reached it: what moves away from under the pointer
 * meanwhile is not clicked. Leaving a field by a press is such a moment.
 */
export function afterPress(then: () => void): void {
  if (press) void press.then(then);
  else then();
}
