import { useState } from "react";
import { isRecord } from "../../../lib/is-record";

/** The reasons of documents that are to be asked for again and not sent yet, by document id. */
export type NotedReturns = ReadonlyMap<number, string>;

const storageKey = (envelopeId: number) => `review ${envelopeId}`;

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
  try {
    if (noted.size === 0) sessionStorage.removeItem(storageKey(envelopeId));
    else sessionStorage.setItem(storageKey(envelopeId), JSON.stringify(Object.fromEntries(noted)));
  } catch {
    // Without storage a reload forgets them.
  }
}

function load(envelopeId: number): NotedReturns {
  try {
    const saved: unknown = JSON.parse(sessionStorage.getItem(storageKey(envelopeId)) ?? "null");
    if (!isRecord(saved)) return new Map();
    return new Map(
      Object.entries(saved).flatMap(([id, reason]) =>
        typeof reason === "string" ? [[Number(id), reason] as const] : [],
      ),
    );
  } catch {
    return new Map();
  }
}
