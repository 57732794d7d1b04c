import { useTranslation } from "react-i18next";
import { toast } from "../../../components/ui/toast-store";
import type { Envelope } from "../envelopes.queries";
import type { EnvelopeDocument } from "./document-answers";
import {
  type PendingReturns,
  pendingReturnsOf,
  storePendingReturns,
  unsentReturns,
  usePendingReturnLists,
} from "./pending-returns";
import { needsDate, useDecide, useReturn } from "./review.queries";

/** The review of one envelope, shared by its details and the review mode. */
export type Review = {
  /** Whether the caller decides at all. */
  mayDecide: boolean;
  /** Returns that are collected and not sent yet. */
  pendingReturns: PendingReturns;
  /** Documents can be returned: everything was submitted. */
  open: boolean;
  /** Documents can be accepted, also while the recipient replaces others. */
  acceptable: boolean;
  /** Sending needs a new expiration date. */
  expired: boolean;
  sending: boolean;
  accept: (document: EnvelopeDocument) => void;
  /** Accepts these in one call, which can be undone. */
  acceptAll: (documents: readonly EnvelopeDocument[]) => void;
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

export function useReview(id: number, envelope: Envelope | undefined, mayDecide: boolean): Review {
  const { t } = useTranslation(["review", "common"]);
  const stored = usePendingReturnLists().get(id);
  const decide = useDecide(id);
  const returning = useReturn(id);
  const pendingReturns = unsentReturns({ documents: envelope?.documents ?? [] }, stored);
  const add = (documentId: number, reason: string) =>
    storePendingReturns(id, new Map(pendingReturnsOf(id)).set(documentId, reason));
  const drop = (documentId: number) =>
    storePendingReturns(id, new Map([...pendingReturnsOf(id)].filter(([other]) => other !== documentId)));
  const clear = () => storePendingReturns(id, new Map());
  const end = envelope?.expiresAt;
  return {
    mayDecide,
    pendingReturns,
    open: mayDecide && envelope?.status === "completed",
    acceptable: mayDecide && Boolean(envelope?.completedAt),
    expired: Boolean(end && Date.parse(end) < Date.now()) || needsDate(returning.error),
    sending: returning.isPending,
    accept(document) {
      if (pendingReturns.has(document.id)) drop(document.id);
      decide.mutate({ accept: [document.id] });
    },
    acceptAll(documents) {
      const ids = documents.map(({ id }) => id);
      const undo = { label: t("common:undo"), onAction: () => decide.mutate({ undo: ids }) };
      decide.mutate(
        { accept: ids },
        { onSuccess: () => toast({ title: t("acceptedAll", { count: ids.length }), action: undo }) },
      );
    },
    undo(document) {
      if (pendingReturns.has(document.id)) drop(document.id);
      else decide.mutate({ undo: [document.id] });
    },
    addReturn: (document, reason) => add(document.id, reason),
    discard: clear,
    send({ more, expirationDate, onSent } = {}) {
      const reasons = new Map(pendingReturns);
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
