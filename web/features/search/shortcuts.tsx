import { useEffect, useState } from "react";
import { lazyComponent } from "../../components/ui/lazy-component";

export const SearchDialog = lazyComponent(() => import("./search-dialog"));
const KeysDialog = lazyComponent(() => import("./keys-dialog"));

/** Where a character is typed, or a dialog has its own keys. */
const isTaken = (target: EventTarget | null) =>
  (target instanceof HTMLElement && target.closest("input, textarea, select, [contenteditable]") !== null) ||
  document.querySelector("[aria-modal=true]") !== null;

/** Opens the search with Ctrl+K and "/", and the list of keys with "?". */
export function Shortcuts() {
  const [open, setOpen] = useState<"search" | "keys" | null>(null);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey } = event;
      const isCommand = (ctrlKey || metaKey) && !altKey && key.toLowerCase() === "k";
      const isModal = document.querySelector("[aria-modal=true]") !== null;
      const isPlain = !ctrlKey && !metaKey && !altKey && !isTaken(event.target);
      const wanted =
        isCommand && !isModal ? "search" : isPlain ? { "/": "search", "?": "keys" }[key] : undefined;
      if (!wanted) return;
      event.preventDefault();
      setOpen(wanted as "search" | "keys");
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, []);
  const close = () => setOpen(null);
  if (open === "search") return <SearchDialog onClose={close} />;
  return open === "keys" && <KeysDialog onClose={close} />;
}
