import { useState } from "react";
import { clearDraft, loadDraft, saveDraft } from "../../../lib/session-draft";

/** The reasons of documents that are to be asked for again and not sent yet, by document id. */
export type NotedReturns = ReadonlyMap<number, string>;

/** An envelope has one owner, so its id stands for the user. */
const draftKey = (envelopeId: number) => `review ${envelopeId}`;

/** Returns that are collected to be sent in one call. They stay in this tab, through a reload as well. */
export function useNotedReturns(envelopeId: number) {
  const [state, setState] = useState(() => ({ envelopeId, noted: load(envelopeId) }));
  const noted = state.envelopeId === envelopeId ? state.noted : load(envelopeId);
  const change = (next: NotedReturns) => {
    save(envelopeId, next);
    setState({ envelopeId, noted: next });
  };
  return {
    noted,
    note: (id: number, reason: string) => change(new Map(noted).set(id, reason)),
    drop: (id: number) => change(new Map([...noted].filter(([other]) => other !== id))),
    clear: () => change(new Map()),
  };
}

function save(envelopeId: number, noted: NotedReturns): void {
  if (noted.size === 0) clearDraft(draftKey(envelopeId));
  else saveDraft(draftKey(envelopeId), [...noted]);
}

const load = (envelopeId: number): NotedReturns =>
  new Map(loadDraft<[number, string][]>(draftKey(envelopeId), []));
