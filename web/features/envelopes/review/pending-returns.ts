import { useState } from "react";
import { clearDraft, loadDraft, saveDraft } from "../../../lib/session-draft";

/** The reasons of documents that are marked to be returned but not sent yet, by document id. */
export type PendingReturns = ReadonlyMap<number, string>;

/** An envelope has one owner, so its id identifies the user too. */
const draftKey = (envelopeId: number) => `review ${envelopeId}`;

/** Returns that are collected to be sent in one call. They are stored in this tab and survive a reload. */
export function usePendingReturns(envelopeId: number) {
  const [state, setState] = useState(() => ({ envelopeId, pendingReturns: load(envelopeId) }));
  const pendingReturns = state.envelopeId === envelopeId ? state.pendingReturns : load(envelopeId);
  const change = (next: PendingReturns) => {
    save(envelopeId, next);
    setState({ envelopeId, pendingReturns: next });
  };
  return {
    pendingReturns,
    add: (id: number, reason: string) => change(new Map(pendingReturns).set(id, reason)),
    drop: (id: number) => change(new Map([...pendingReturns].filter(([other]) => other !== id))),
    clear: () => change(new Map()),
  };
}

function save(envelopeId: number, pendingReturns: PendingReturns): void {
  if (pendingReturns.size === 0) clearDraft(draftKey(envelopeId));
  else saveDraft(draftKey(envelopeId), [...pendingReturns]);
}

const load = (envelopeId: number): PendingReturns =>
  new Map(loadDraft<[number, string][]>(draftKey(envelopeId), []));
