import { type ActionDispatch, useEffect, useRef } from "react";
import { isRecord } from "../../../lib/is-record";
import { allFiles } from "../files/document-files";
import type { Information, WizardAction, WizardState } from "./wizard-state";

/** What a reload keeps. It stays in this tab and is never sent to the server. */
type SavedProgress = { step: number; information: Information; filesLost: boolean };

const storageKey = (token: string) => `submit ${token}`;

/** Saves the progress and restores it after a reload: after hydration, since the prerendered page has none. */
export function useSavedProgress(
  token: string,
  state: WizardState,
  dispatch: ActionDispatch<[WizardAction]>,
): void {
  const restored = useRef(false);
  const { step, information, documents } = state;
  const filesLost = state.filesLost || allFiles(documents).length > 0;
  useEffect(() => {
    if (restored.current) return save(token, { step, information, filesLost });
    restored.current = true;
    const saved = load(token);
    if (saved) dispatch({ type: "progress restored", ...saved });
  }, [token, step, information, filesLost, dispatch]);
}

export function clearProgress(token: string): void {
  try {
    sessionStorage.removeItem(storageKey(token));
  } catch {
    // Without storage nothing was saved.
  }
}

function save(token: string, progress: SavedProgress): void {
  try {
    sessionStorage.setItem(storageKey(token), JSON.stringify(progress));
  } catch {
    // Without storage a reload starts over.
  }
}

function load(token: string): SavedProgress | null {
  try {
    const saved: unknown = JSON.parse(sessionStorage.getItem(storageKey(token)) ?? "null");
    if (!isRecord(saved) || !isRecord(saved.information)) return null;
    const { step, information, filesLost } = saved;
    const { name, email } = information;
    if (typeof name !== "string" || typeof email !== "string" || typeof step !== "number") return null;
    return { step, information: { name, email }, filesLost: filesLost === true };
  } catch {
    return null;
  }
}
