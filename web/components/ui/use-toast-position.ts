import { type RefObject, useEffect } from "react";

const FOOTER = "[data-dialog-footer]";
/** What a toast should not cover. */
const CONTROLS = "a, button, input, select, textarea, label:has([type=file]), h1, [role=dialog] h2";
/** How far the toast is inside its container, less a small gap, in CSS pixels. */
const INSET = 8;
const STEP = 8;

/** The container's distances from the left and the bottom of the window. */
type Position = { left: number; bottom: number };

/**
 * Moves the container of the toast to where it covers the fewest controls: a corner at the bottom, above what
 * is there, or a corner at the top. It stays there until a dialog opens or closes, or the window changes.
 */
export function useToastPosition(container: RefObject<HTMLElement | null>, id: number | undefined): void {
  useEffect(() => {
    const element = container.current;
    if (!element || id === undefined) return;
    const place = () => {
      const { left, bottom } = bestPosition(element);
      element.style.inset = `auto auto ${bottom}px ${left}px`;
    };
    let dialog = dialogState();
    const placeOnDialog = () => {
      const before = dialog;
      dialog = dialogState();
      if (dialog !== before) place();
    };
    // The toast may be rendered later than its container.
    const sizes = new ResizeObserver(place);
    sizes.observe(element);
    const dialogs = new MutationObserver(placeOnDialog);
    dialogs.observe(document.body, { childList: true, subtree: true });
    addEventListener("resize", place);
    return () => {
      sizes.disconnect();
      dialogs.disconnect();
      removeEventListener("resize", place);
    };
  }, [container, id]);
}

/** Changes as dialogs open and close, and as the footer of the last one grows. */
function dialogState(): string {
  const footers = [...document.querySelectorAll(FOOTER)];
  const dialogs = document.querySelectorAll("[role=dialog], [role=alertdialog]");
  return `${dialogs.length} ${footers.at(-1)?.getBoundingClientRect().top}`;
}

function bestPosition(element: HTMLElement): Position {
  const { offsetWidth: width, offsetHeight: height } = element;
  const { clientWidth, clientHeight } = document.documentElement;
  const right = clientWidth - width;
  const top = clientHeight - height;
  const positions: Position[] = [
    { left: right, bottom: 0 },
    { left: 0, bottom: 0 },
  ];
  for (let bottom = STEP; bottom <= top / 2; bottom += STEP) positions.push({ left: right, bottom });
  positions.push({ left: right, bottom: top }, { left: 0, bottom: top });

  const controls = visibleControls(element);
  const coveredWeight = ({ left, bottom }: Position) =>
    controls
      .filter(
        ({ box }) =>
          box.left < left + width - INSET &&
          box.right > left + INSET &&
          box.top < clientHeight - bottom - INSET &&
          box.bottom > clientHeight - bottom - height + INSET,
      )
      .reduce((sum, { weight }) => sum + weight, 0);
  let best = { left: right, bottom: 0 };
  let least = Number.POSITIVE_INFINITY;
  for (const position of positions) {
    const weight = coveredWeight(position);
    if (weight < least) [best, least] = [position, weight];
  }
  return best;
}

/** The controls that can be used, with how much each of them matters. */
function visibleControls(toast: HTMLElement): { box: DOMRect; weight: number }[] {
  return [...document.querySelectorAll(CONTROLS)]
    .filter((control) => !toast.contains(control) && !control.closest("[inert]"))
    .map((control) => ({ box: control.getBoundingClientRect(), weight: weightOf(control) }))
    .filter(({ box }) => box.width > 1 && box.bottom > 0 && box.top < innerHeight);
}

function weightOf(control: Element): number {
  if (control === document.activeElement) return 8;
  if (control.closest(FOOTER)) return 4;
  return control.matches("h1, h2") ? 0.5 : 1;
}
