import { isRecord } from "../../worker/contract/is-record";
import { readStored, readStoredJson, storedKeys, writeStored } from "./storage";

const PREFIX = "draft ";
/** Of the reasons of documents that are to be asked for again but not sent yet, which outlast the tab. */
export const RETURNS = "unsent returns ";
/** What is stored of one user, and the key of whose it is. */
const STORED = [
  { area: "sessionStorage", prefix: PREFIX, owner: "drafts of" },
  { area: "localStorage", prefix: RETURNS, owner: "signed-in user" },
] as const;

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

/** Removes what every other user has left in this browser, of all users without one, and tells the other tabs who is signed in. */
export function clearOtherDrafts(userId: number | undefined): void {
  const user = String(userId ?? "");
  for (const { area, prefix, owner } of STORED) {
    if (user === readStored(owner, area)) continue;
    for (const key of storedKeys(prefix, area)) writeStored(key, null, area);
    writeStored(owner, user, area);
  }
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

/**
 * Calls the listener when another tab finds that this user is signed in now; with 0 when it has signed out. Without storage,
 * tabs notice at their next reload.
 */
export function onUserElsewhere(listener: (id: number) => void): void {
  window.addEventListener("storage", ({ key, newValue }) => {
    if (key === STORED[1].owner && newValue !== null) listener(Number(newValue));
  });
}
