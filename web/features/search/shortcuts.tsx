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
  const [words, setWords] = useState("");
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey } = event;
      const isCommand = (ctrlKey || metaKey) && !altKey && key.toLowerCase() === "k";
      const isModal = document.querySelector("[aria-modal=true]") !== null;
      // What is typed while the dialog's code is loading belongs to its field.
      if (open === "search" && !isModal && !ctrlKey && !metaKey && key.length === 1) {
        event.preventDefault();
        setWords((before) => before + key);
        return;
      }
      const isPlain = !ctrlKey && !metaKey && !altKey && !isTaken(event.target);
      const wanted =
        isCommand && !isModal ? "search" : isPlain ? { "/": "search", "?": "keys" }[key] : undefined;
      if (!wanted) return;
      event.preventDefault();
      setWords("");
      setOpen(wanted as "search" | "keys");
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [open]);
  const close = () => setOpen(null);
  if (open === "search") return <SearchDialog words={words} onClose={close} />;
  return open === "keys" && <KeysDialog onClose={close} />;
}
