import { type MouseEvent, type RefObject, useEffect, useLayoutEffect, useRef } from "react";

/** Moves the focus to the page's content if the focused element was removed, such as a deleted card. */
export function focusContent(): void {
  // After the dialog has tried to return the focus to the removed element.
  setTimeout(() => {
    if (document.activeElement === document.body)
      document.getElementById("content")?.focus({ preventScroll: true });
  });
}

/** Moves the focus to the content if it was in an entry that is gone from a list of `count`. */
export function useFocusAfterRemoval(count: number): void {
  const previous = useRef(count);
  useEffect(() => {
    if (count < previous.current) focusContent();
    previous.current = count;
  }, [count]);
}

/** Moves the focus to the section around a pressed button, which is then removed. */
export function focusSection({ currentTarget }: MouseEvent): void {
  currentTarget.closest<HTMLElement>("section[tabindex]")?.focus({ preventScroll: true });
}

/** Moves the focus to the heading of the new step, which is read out. */
export function useStepFocus(step: number) {
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef(step);
  useEffect(() => {
    if (shown.current === step) return;
    shown.current = step;
    heading.current?.focus();
  }, [step]);
  return heading;
}

/**
 * Chromium takes the focus from a control that is disabled. It gets it back once it is enabled again.
 * @param button of a list, which has the focus itself when its control is disabled
 */
export function usePreservedFocus(
  disabled: boolean | undefined,
  button?: RefObject<HTMLButtonElement | null>,
): void {
  useLayoutEffect(() => {
    const control = button ? button.current : document.activeElement;
    if (!disabled || !(control instanceof HTMLElement) || !control.matches(":disabled")) return;
    return () => {
      if (document.activeElement === document.body) control.focus();
    };
  }, [disabled, button]);
}
