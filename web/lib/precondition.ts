import { useEffect } from "react";
import { type ApiError, onPrecondition, type Precondition } from "./api";
import { createStore } from "./store";

type Question = {
  /** Of the first call that waits. */
  error: ApiError;
  /** With true, the calls are repeated. */
  answer: (met: boolean) => void;
};

/** Asks once, however many calls wait. */
function createQuestion() {
  const current = createStore<Question | null>(null);
  let asking: Promise<boolean> | undefined;
  const ask = (error: ApiError) => {
    asking ??= new Promise<boolean>((resolve) => {
      current.set({
        error,
        answer: (met) => {
          asking = undefined;
          current.set(null);
          resolve(met);
        },
      });
    });
    return asking;
  };
  return { current, ask };
}

const QUESTIONS = {
  reauthentication_required: createQuestion(),
  second_factor_setup_required: createQuestion(),
} satisfies Record<Precondition, unknown>;

/** The question to the user about this precondition, while calls wait for the answer. */
export function usePrecondition(code: Precondition): Question | null {
  const { current, ask } = QUESTIONS[code];
  useEffect(() => {
    const stop = onPrecondition(code, ask);
    return () => {
      stop();
      current.get()?.answer(false);
    };
  }, [code, current, ask]);
  return current.use();
}
