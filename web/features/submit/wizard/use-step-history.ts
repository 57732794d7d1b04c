import { useEffect, useEffectEvent, useRef } from "react";
import type { WizardState } from "./wizard-state";

const stepInHistory = (): number => history.state?.step ?? 0;

/** Makes the browser's Back button lead to the step before, instead of away from the page. */
export function useStepHistory({ step, sending }: WizardState, onPrevious: () => void): void {
  const shown = useRef(step);
  useEffect(() => {
    const earlier = shown.current;
    shown.current = step;
    // After a reload, the history has the steps already.
    for (let next = stepInHistory() + 1; next <= step; next += 1) history.pushState({ step: next }, "");
    if (step < earlier && stepInHistory() > step) history.go(step - stepInHistory());
  }, [step]);
  const follow = useEffectEvent(() => {
    const steps = stepInHistory() - step;
    // The Next button leads forwards, which checks what is typed. What is being sent can be cancelled by its button.
    if (steps > 0 || (sending && steps < 0)) history.go(-steps);
    else for (let back = steps; back < 0; back += 1) onPrevious();
  });
  useEffect(() => {
    // The position of each step is set by the wizard.
    history.scrollRestoration = "manual";
    addEventListener("popstate", follow);
    return () => {
      removeEventListener("popstate", follow);
      // What replaces the wizard is left at once.
      if (stepInHistory() > 0) history.go(-stepInHistory());
    };
  }, []);
}
