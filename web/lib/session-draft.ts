/**
 * Saves input for as long as the tab is open, so that it survives closing its panel and signing in again.
 * The key must contain the user.
 */
export function saveDraft(key: string, input: unknown): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(input));
  } catch {
    // Without storage the input is lost with its panel.
  }
}

export function clearDraft(key: string): void {
  try {
    sessionStorage.removeItem(key);
  } catch {
    // Without storage nothing was saved.
  }
}

export function loadDraft<Input>(key: string, fallback: Input): Input {
  try {
    const stored = sessionStorage.getItem(key);
    return stored === null ? fallback : (JSON.parse(stored) as Input);
  } catch {
    return fallback;
  }
}
