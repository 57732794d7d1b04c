import { useEffect, useRef } from "react";

/** The commands of the review mode, by key or by button. */
export type ReviewCommands = Record<
  "previous" | "next" | "accept" | "askAgain" | "send" | "download" | "zoomIn" | "zoomOut" | "fit" | "rotate",
  () => void
>;

/** In the order in which they are listed for the user. */
export const REVIEW_KEYS: readonly [command: keyof ReviewCommands, ...keys: string[]][] = [
  ["next", "ArrowRight", "j"],
  ["previous", "ArrowLeft", "k"],
  ["accept", "a"],
  ["askAgain", "r"],
  ["send", "s"],
  ["download", "d"],
  ["zoomIn", "+", "="],
  ["zoomOut", "-"],
  ["fit", "0", "f"],
  ["rotate", "t"],
];

/** Calls the command of a pressed key, unless something is being typed or another dialog is open. */
export function useReviewKeys(commands: ReviewCommands, enabled: boolean): void {
  const latest = useRef(commands);
  latest.current = commands;
  useEffect(() => {
    if (!enabled) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (event.target instanceof HTMLElement && event.target.matches("input, textarea, select")) return;
      const [command] = REVIEW_KEYS.find(([, ...keys]) => keys.includes(keyOf(event))) ?? [];
      if (!command) return;
      event.preventDefault();
      latest.current[command]();
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, [enabled]);
}

const keyOf = ({ key }: KeyboardEvent) => (key.length === 1 ? key.toLowerCase() : key);
