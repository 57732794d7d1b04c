/* Not in toaster.tsx, where Tailwind would take the names of events for classes. */

const SWIPE_THRESHOLD = 50;
/** From this distance on it is a swipe, and no click. */
const SWIPE_START = 8;

/**
 * Dismisses the toast after its duration, if it has one, or when it is swiped to the right. The timer pauses while the
 * toast is hovered or focused, or the window is not. Returns a cleanup function.
 */
export function dismissOnTimeoutOrSwipe(
  card: HTMLElement,
  duration: number | null,
  dismiss: () => void,
): () => void {
  const listening = new AbortController();
  const { signal } = listening;
  const on = <Type extends keyof HTMLElementEventMap>(
    type: Type,
    listener: (event: HTMLElementEventMap[Type]) => void,
  ) => card.addEventListener(type, listener, { signal });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const pauseTimer = () => clearTimeout(timer);
  const restartTimer = () => {
    pauseTimer();
    if (duration !== null) timer = setTimeout(dismiss, duration);
  };
  restartTimer();
  on("pointerenter", pauseTimer);
  on("pointerleave", () => card.contains(document.activeElement) || restartTimer());
  on("focusin", pauseTimer);
  on("focusout", restartTimer);
  addEventListener("blur", pauseTimer, { signal });
  addEventListener("focus", restartTimer, { signal });

  let startX: number | null = null;
  const endSwipe = () => {
    startX = null;
    card.style.transform = "";
  };
  on("pointerdown", ({ clientX }) => {
    startX = clientX;
  });
  on("pointermove", ({ clientX, pointerId }) => {
    const distance = startX === null ? 0 : clientX - startX;
    if (distance < SWIPE_START) return;
    card.setPointerCapture(pointerId);
    card.style.transform = `translateX(${distance}px)`;
  });
  on("pointerup", ({ clientX }) => {
    if (startX !== null && clientX - startX >= SWIPE_THRESHOLD) dismiss();
    endSwipe();
  });
  on("pointercancel", endSwipe);
  return () => {
    listening.abort();
    pauseTimer();
  };
}
