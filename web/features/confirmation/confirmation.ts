import { useEffect } from "react";
import type { ConfirmationMethod } from "../../../worker/contract/options";
import { onConfirmationNeeded } from "../../lib/api";
import { createStore } from "../../lib/store";

type Question = { methods: readonly ConfirmationMethod[]; answer: (confirmed: boolean) => void };

const current = createStore<Question | null>(null);
let asking: Promise<boolean> | undefined;

/** Asks once, however many calls wait for the answer. */
function ask(methods: readonly ConfirmationMethod[]): Promise<boolean> {
  asking ??= new Promise<boolean>((resolve) => {
    current.set({
      methods,
      answer: (confirmed) => {
        asking = undefined;
        current.set(null);
        resolve(confirmed);
      },
    });
  });
  return asking;
}

/** The question whether it is still the account's owner, while a call waits for the answer. */
export function useConfirmation(): Question | null {
  useEffect(() => {
    const stop = onConfirmationNeeded(ask);
    return () => {
      stop();
      current.get()?.answer(false);
    };
  }, []);
  return current.use();
}
