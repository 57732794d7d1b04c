/** Puts the focus on the page's content, where what had it is gone (a card that was deleted). */
export function focusContent(): void {
  // After the dialog that asked has given the focus back to what is gone.
  setTimeout(() => {
    if (document.activeElement === document.body)
      document.getElementById("content")?.focus({ preventScroll: true });
  });
}
