import { RETURNS } from "../../../lib/session-draft";
import { readStoredJson, storedKeys, writeStored } from "../../../lib/storage";
import { createStore } from "../../../lib/store";
import type { Envelope } from "../envelope";

/** The reasons of documents that are to be asked for again but not sent yet, by document id. */
export type PendingReturns = ReadonlyMap<number, string>;

const NONE: PendingReturns = new Map();

/** The lists of this device, by envelope. Without storage, they last as long as the page. */
const lists = createStore(readLists());
// Another tab has added to a list, or sent it.
globalThis.addEventListener?.("storage", ({ key }: StorageEvent) => {
  if (!key || key.startsWith(RETURNS)) lists.set(readLists());
});

function readLists(): ReadonlyMap<number, PendingReturns> {
  return new Map(storedKeys(RETURNS).map((key) => [Number(key.slice(RETURNS.length)), readList(key)]));
}

function readList(key: string): PendingReturns {
  const stored = readStoredJson(key);
  return Array.isArray(stored) ? new Map(stored.filter(isEntry)) : NONE;
}

function isEntry(entry: unknown): entry is [number, string] {
  return Array.isArray(entry) && typeof entry[0] === "number" && typeof entry[1] === "string";
}

export const usePendingReturnLists = lists.use;

/** The current list of an envelope, also before the screen shows a change of it. */
export const pendingReturnsOf = (envelopeId: number): PendingReturns => lists.get().get(envelopeId) ?? NONE;

export function storePendingReturns(envelopeId: number, next: PendingReturns): void {
  const others = [...lists.get()].filter(([id]) => id !== envelopeId);
  lists.set(new Map(next.size > 0 ? [...others, [envelopeId, next]] : others));
  writeStored(`${RETURNS}${envelopeId}`, next.size > 0 ? JSON.stringify([...next]) : null);
}

/** Those that can be sent: another device may have sent one of them, or an edit may have removed its document. */
export function unsentReturns(
  { documents }: Pick<Envelope, "documents">,
  pendingReturns = NONE,
): PendingReturns {
  const sendable = documents.filter(({ id, state }) => pendingReturns.has(id) && state !== "returned");
  return new Map(sendable.map(({ id }) => [id, pendingReturns.get(id) ?? ""]));
}
