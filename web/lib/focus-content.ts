/** Moves the focus to the page's content if the focused element was removed, such as a deleted card. */
export function focusContent(): void {
  // After the dialog has tried to return the focus to the removed element.
  setTimeout(() => {
    if (document.activeElement === document.body)
      document.getElementById("content")?.focus({ preventScroll: true });
  });
}
