/**
 * Input that outlives the panel it was typed in, and the way over the sign-in page, for as long as the tab
 * lives. The key names whose it is.
 */
export function saveDraft(key: string, input: unknown): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(input));
  } catch {
    // Without storage it lasts as long as the panel.
  }
}

export function clearDraft(key: string): void {
  try {
    sessionStorage.removeItem(key);
  } catch {
    // Nothing was kept.
  }
}

export function loadDraft<Input>(key: string, fallback: Input): Input {
  try {
    const kept = sessionStorage.getItem(key);
    return kept === null ? fallback : (JSON.parse(kept) as Input);
  } catch {
    return fallback;
  }
}
