import { useEffect, useRef } from "react";
import { isRecord } from "../../../lib/is-record";
import type { WizardStore } from "./use-wizard-state";
import type { Typed, WizardState } from "./wizard-state";

/** What a reload keeps. It stays in this tab and is never sent to the server. */
type SavedProgress = { step: number; typed: Typed };

const storageKey = (token: string) => `submit ${token}`;

/** Saves the progress and restores it after a reload: after hydration, since the prerendered page has none. */
export function useSavedProgress(token: string, state: WizardState, dispatch: WizardStore["dispatch"]): void {
  const restored = useRef(false);
  const { step, information, note, documents } = state;
  useEffect(() => {
    if (restored.current) {
      const skipped = [...documents].flatMap(([id, document]) =>
        document.skipped ? [[id, document.skipReason] as const] : [],
      );
      return save(token, { step, typed: { information, note, skipped } });
    }
    restored.current = true;
    const saved = load(token);
    if (saved) dispatch({ type: "progress restored", ...saved });
  }, [token, step, information, note, documents, dispatch]);
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
    if (!isRecord(saved) || !isRecord(saved.typed) || !isRecord(saved.typed.information)) return null;
    const { step, typed } = saved;
    const { name, email } = saved.typed.information;
    if (typeof name !== "string" || typeof email !== "string" || typeof step !== "number") return null;
    const note = typeof typed.note === "string" ? typed.note : "";
    const skipped = Array.isArray(typed.skipped) ? typed.skipped.filter(isSkip) : [];
    return { step, typed: { information: { name, email }, note, skipped } };
  } catch {
    return null;
  }
}

const isSkip = (value: unknown): value is [number, string] =>
  Array.isArray(value) && typeof value[0] === "number" && typeof value[1] === "string";
