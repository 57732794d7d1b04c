import { isRecord } from "./is-record";

const PREFIX = "draft ";
/** The user whose drafts these are. */
const OWNER = "drafts of";

/**
 * Saves input for as long as the tab is open, so that it survives closing its panel and signing in again.
 * The key must contain the user.
 */
export function saveDraft(key: string, input: unknown): void {
  try {
    sessionStorage.setItem(PREFIX + key, JSON.stringify(input));
  } catch {
    // Without storage the input is lost with its panel.
  }
}

export function clearDraft(key: string): void {
  try {
    sessionStorage.removeItem(PREFIX + key);
  } catch {
    // Without storage nothing was saved.
  }
}

/** The saved input; the fallback without one, or if another version of the app has saved other fields. */
export function loadDraft<Input>(key: string, fallback: Input): Input {
  try {
    const saved: unknown = JSON.parse(sessionStorage.getItem(PREFIX + key) ?? "null");
    return saved !== null && hasShapeOf(fallback, saved) ? (saved as Input) : fallback;
  } catch {
    return fallback;
  }
}

/** Removes the drafts of every other user of this tab; of all users without one. */
export function clearOtherDrafts(userId: number | undefined): void {
  try {
    const owner = String(userId ?? "");
    if (owner === sessionStorage.getItem(OWNER)) return;
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
    sessionStorage.setItem(OWNER, owner);
  } catch {
    // Without storage nothing was saved.
  }
}

/** Whether the saved value has the fields of the model, and its lists have entries like the model's first one. */
function hasShapeOf(model: unknown, saved: unknown): boolean {
  if (Array.isArray(model))
    return (
      Array.isArray(saved) && (model.length === 0 || saved.every((entry) => hasShapeOf(model[0], entry)))
    );
  if (isRecord(model))
    return isRecord(saved) && Object.entries(model).every(([name, value]) => hasShapeOf(value, saved[name]));
  return model === null || saved === null ? !isRecord(saved ?? model) : typeof saved === typeof model;
}
