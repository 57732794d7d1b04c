import { isRecord } from "../../worker/contract/is-record";
import { readStored, readStoredJson, storedKeys, writeStored } from "./storage";

const PREFIX = "draft ";
/** The user whose drafts these are. */
const OWNER = "drafts of";

/**
 * Saves input for as long as the tab is open, so that it survives closing its panel and signing in again.
 * The key must contain the user.
 */
export function saveDraft(key: string, input: unknown): void {
  writeStored(PREFIX + key, JSON.stringify(input), "sessionStorage");
}

/** Whether there is saved input. */
export const hasDraft = (): boolean => storedKeys(PREFIX, "sessionStorage").length > 0;

export function clearDraft(key: string): void {
  writeStored(PREFIX + key, null, "sessionStorage");
}

/** The saved input; the fallback without one, or if another version of the app has saved other fields. */
export function loadDraft<Input>(key: string, fallback: Input): Input {
  const saved = readStoredJson(PREFIX + key, "sessionStorage");
  return saved !== null && hasShapeOf(fallback, saved) ? (saved as Input) : fallback;
}

/** Removes the drafts of every other user of this tab; of all users without one. */
export function clearOtherDrafts(userId: number | undefined): void {
  const owner = String(userId ?? "");
  if (owner === readStored(OWNER, "sessionStorage")) return;
  for (const key of storedKeys(PREFIX, "sessionStorage")) writeStored(key, null, "sessionStorage");
  writeStored(OWNER, owner, "sessionStorage");
}

/**
 * Whether the saved value has the fields of the model, and its lists have entries like the model's first one. A null does
 * not say what else its field takes, such as a condition.
 */
function hasShapeOf(model: unknown, saved: unknown): boolean {
  if (Array.isArray(model))
    return (
      Array.isArray(saved) && (model.length === 0 || saved.every((entry) => hasShapeOf(model[0], entry)))
    );
  if (isRecord(model))
    return isRecord(saved) && Object.entries(model).every(([name, value]) => hasShapeOf(value, saved[name]));
  return model === null || saved === null || typeof saved === typeof model;
}

const KEY = "signed-in user";

/** Tells the other tabs who is signed in. Without storage, they notice at their next reload. */
export function publishUser(id: number): void {
  writeStored(KEY, String(id));
}

/** Calls the listener when another tab finds that this user is signed in now. */
export function onUserElsewhere(listener: (id: number) => void): void {
  window.addEventListener("storage", ({ key, newValue }) => {
    if (key === KEY && newValue !== null) listener(Number(newValue));
  });
}
