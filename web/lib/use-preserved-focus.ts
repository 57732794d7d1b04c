import { type RefObject, useLayoutEffect } from "react";

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
