import { useState } from "react";
import { INITIAL_STATE, type WizardAction, type WizardState, wizardReducer } from "./wizard-state";

export type WizardStore = {
  dispatch: (action: WizardAction) => void;
  /** The state after every action so far, for what goes on between renderings. */
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
