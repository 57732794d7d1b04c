import { useTranslation } from "react-i18next";
import { toast } from "../../../components/ui/toast-store";
import type { Envelope } from "../envelopes.queries";
import type { EnvelopeDocument } from "./document-answers";
import {
  pendingReturnsOf,
  storePendingReturns,
  unsentReturns,
  usePendingReturnLists,
} from "./pending-returns";
import { needsDate, useDecide, useReturn } from "./review.queries";

/** The review of one envelope, shared by its details and the review mode. */
export type Review = ReturnType<typeof useReview>;

type SendOptions = {
  more?: { documentId: number; reason: string };
  expirationDate?: string;
  onSent?: () => void;
};

export function useReview(id: number, envelope: Envelope | undefined, mayDecide: boolean) {
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
    /** Whether the caller decides at all. */
    mayDecide,
    /** Returns that are collected and not sent yet. */
    pendingReturns,
    /** Documents can be returned: everything was submitted. */
    open: mayDecide && envelope?.status === "completed",
    /** Documents can be accepted, also while the recipient replaces others. */
    acceptable: mayDecide && Boolean(envelope?.completedAt),
    /** Sending needs a new expiration date. */
    expired: Boolean(end && Date.parse(end) < Date.now()) || needsDate(returning.error),
    sending: returning.isPending,
    accept(document: EnvelopeDocument) {
      if (pendingReturns.has(document.id)) drop(document.id);
      decide.mutate({ accept: [document.id] });
    },
    /** Accepts these in one call, which can be undone. */
    acceptAll(documents: readonly EnvelopeDocument[]) {
      const ids = documents.map(({ id }) => id);
      const undo = { label: t("common:undo"), onAction: () => decide.mutate({ undo: ids }) };
      decide.mutate(
        { accept: ids },
        { onSuccess: () => toast({ title: t("acceptedAll", { count: ids.length }), action: undo }) },
      );
    },
    /** Undoes an acceptance, a return, or a pending return. */
    undo(document: EnvelopeDocument) {
      if (pendingReturns.has(document.id)) drop(document.id);
      else decide.mutate({ undo: [document.id] });
    },
    addReturn: (document: EnvelopeDocument, reason: string) => add(document.id, reason),
    discard: clear,
    /** Sends the pending returns, and `more` with them, in one call. */
    send({ more, expirationDate, onSent }: SendOptions = {}) {
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
