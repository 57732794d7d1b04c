import { useState } from "react";
import { INITIAL_STATE, type WizardAction, type WizardState, wizardReducer } from "./wizard-state";

export type WizardStore = {
  dispatch: (action: WizardAction) => void;
  /** The latest state after every action, for work that runs between renders. */
  current: () => WizardState;
};

/** The wizard's state. */
export function useWizardState(): WizardStore & { state: WizardState } {
  const [state, setState] = useState(INITIAL_STATE);
  const [store] = useState<WizardStore>(() => {
    let latest = INITIAL_STATE;
    return {
      dispatch(action) {
        latest = wizardReducer(latest, action);
        setState(latest);
      },
      current: () => latest,
    };
  });
  return { state, ...store };
}
