import { useEffect } from "react";
import type { FieldValues, UseFormReturn } from "react-hook-form";
import { onSessionEnd } from "./api";
import { clearDraft, loadDraft, saveDraft } from "./session-draft";

/**
 * Saves unsaved input if the session ends, and restores it when the form is shown again after signing in. Values that
 * are never to be stored, such as passwords, must not be in the form.
 */
export function useRestoredInput<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  dirty: boolean,
  key: string,
): void {
  useEffect(() => {
    const values = form.getValues();
    const saved = loadDraft(key, values);
    clearDraft(key);
    if (saved !== values) form.reset(saved, { keepDefaultValues: true });
  }, [form, key]);
  useEffect(() => onSessionEnd(() => dirty && saveDraft(key, form.getValues())), [form, dirty, key]);
}
