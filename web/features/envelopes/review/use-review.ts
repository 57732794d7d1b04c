import type { Envelope } from "../envelopes.queries";
import type { EnvelopeDocument } from "./document-answers";
import { type PendingReturns, usePendingReturns } from "./pending-returns";
import { needsDate, useDecide, useReturn } from "./review.queries";

/** The review of one envelope, shared by its details and the review mode. */
export type Review = {
  /** Returns that are collected and not sent yet. */
  pendingReturns: PendingReturns;
  /** Documents can be accepted and returned: everything was submitted. */
  open: boolean;
  /** Sending needs a new expiration date. */
  expired: boolean;
  sending: boolean;
  accept: (document: EnvelopeDocument) => void;
  /** Undoes an acceptance, a return, or a pending return. */
  undo: (document: EnvelopeDocument) => void;
  addReturn: (document: EnvelopeDocument, reason: string) => void;
  discard: () => void;
  /** Sends the pending returns, and `more` with them, in one call. */
  send: (options?: SendOptions) => void;
};

type SendOptions = {
  more?: { documentId: number; reason: string };
  expirationDate?: string;
  onSent?: () => void;
};

export function useReview(id: number, envelope: Envelope | undefined): Review {
  const { pendingReturns, add, drop, clear } = usePendingReturns(id);
  const decide = useDecide(id);
  const returning = useReturn(id);
  const documents = envelope?.documents ?? [];
  // Another tab may have sent one of them, or an edit may have removed it.
  const current = new Map(
    [...pendingReturns].filter(([id]) =>
      documents.some((document) => document.id === id && document.state !== "returned"),
    ),
  );
  const end = envelope?.expiresAt;
  return {
    pendingReturns: current,
    open: envelope?.status === "completed",
    expired: Boolean(end && Date.parse(end) < Date.now()) || needsDate(returning.error),
    sending: returning.isPending,
    accept(document) {
      if (pendingReturns.has(document.id)) drop(document.id);
      decide.mutate({ accept: [document.id] });
    },
    undo(document) {
      if (pendingReturns.has(document.id)) drop(document.id);
      else decide.mutate({ undo: [document.id] });
    },
    addReturn: (document, reason) => add(document.id, reason),
    discard: clear,
    send({ more, expirationDate, onSent } = {}) {
      const reasons = new Map(current);
      if (more) {
        reasons.set(more.documentId, more.reason);
        // If the call fails, the input is still there.
        add(more.documentId, more.reason);
      }
      const entries = [...reasons].map(([documentId, reason]) => ({ documentId, reason }));
      returning.mutate(
        { return: entries, expirationDate: expirationDate ?? null },
        {
          onSuccess: () => {
            clear();
            onSent?.();
          },
        },
      );
    },
  };
}
