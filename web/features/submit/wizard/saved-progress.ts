import { useEffect, useRef } from "react";
import { isRecord } from "../../../../worker/contract/is-record";
import { readStoredJson, storedKeys, writeStored } from "../../../lib/storage";
import type { Receipt, Submission } from "../request/request-state";
import type { Typed, WizardState, WizardStore } from "./wizard-state";

/** What stays on this device for a link, and is never sent to the server. */
type Saved = { savedAt: number; progress: SavedProgress | null; receipt: Receipt | null };

type SavedProgress = { step: number; typed: Typed };

const PREFIX = "submit ";
/** The key of other data of a link. The data has `savedAt`, and is removed with the progress. */
export const keyBeside = (token: string, name: string): string => `${PREFIX}${token} ${name}`;
const KEPT_MS = 90 * 24 * 60 * 60 * 1000;

/** Saves the progress, and restores it on the next visit: after hydration, since the prerendered page has none. */
export function useSavedProgress(token: string, state: WizardState, dispatch: WizardStore["dispatch"]): void {
  const restored = useRef(false);
  const { step, information, note, documents } = state;
  useEffect(() => {
    if (restored.current) {
      const skipped = [...documents].flatMap(([id, document]) =>
        document.skipped ? [[id, document.skipReason] as const] : [],
      );
      const receipt = load(token)?.receipt ?? null;
      return save(token, { progress: { step, typed: { information, note, skipped } }, receipt });
    }
    restored.current = true;
    removeOld();
    const progress = load(token)?.progress;
    if (progress) dispatch({ type: "progress restored", ...progress });
  }, [token, step, information, note, documents, dispatch]);
}

/** Keeps the receipt, and who submitted: a returned document is not asked for together with the name again. */
export function saveReceipt(token: string, receipt: Receipt): void {
  const information = load(token)?.progress?.typed.information;
  const progress = information && { step: 1, typed: { information, note: "", skipped: [] } };
  save(token, { progress: progress ?? null, receipt });
  clearBeside(token);
}

/** The receipt of this submission: with hashes and requestor if it was submitted on this device. */
export function completeReceipt(token: string, submission: Submission): Receipt {
  const receipt = load(token)?.receipt;
  return receipt?.submittedAt === submission.submittedAt ? receipt : { ...submission, request: null };
}

function clearBeside(token: string): void {
  for (const key of storedKeys(keyBeside(token, ""))) writeStored(key, null);
}

function save(token: string, saved: Omit<Saved, "savedAt">): void {
  writeStored(PREFIX + token, JSON.stringify({ ...saved, savedAt: Date.now() }));
}

function load(token: string): Saved | null {
  return parse(readStoredJson(PREFIX + token));
}

/** Links are used for weeks, and then never again. */
function removeOld(): void {
  for (const key of storedKeys(PREFIX)) {
    const savedAt = parse(readStoredJson(key))?.savedAt ?? 0;
    if (savedAt < Date.now() - KEPT_MS) writeStored(key, null);
  }
}

function parse(saved: unknown): Saved | null {
  if (!isRecord(saved) || typeof saved.savedAt !== "number") return null;
  const { savedAt, receipt } = saved;
  return {
    savedAt,
    progress: toProgress(saved.progress),
    receipt: isRecord(receipt) && Array.isArray(receipt.files) ? (receipt as Receipt) : null,
  };
}

function toProgress(progress: unknown): SavedProgress | null {
  if (!isRecord(progress) || !isRecord(progress.typed) || !isRecord(progress.typed.information)) return null;
  const { step, typed } = progress;
  const { name, email } = progress.typed.information;
  if (typeof name !== "string" || typeof email !== "string" || typeof step !== "number") return null;
  const note = typeof typed.note === "string" ? typed.note : "";
  const skipped = Array.isArray(typed.skipped) ? typed.skipped.filter(isSkip) : [];
  return { step, typed: { information: { name, email }, note, skipped } };
}

const isSkip = (value: unknown): value is [number, string] =>
  Array.isArray(value) && typeof value[0] === "number" && typeof value[1] === "string";
