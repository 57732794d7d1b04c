import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { toast } from "../../../components/ui/toast-store";
import { type Envelope, envelopeQuery } from "../envelopes.queries";
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
export type Review = ReturnType<typeof useReview>;

export type SendOptions = {
  more?: { documentId: number; reason: string };
  expirationDate?: string;
  onSent?: () => void;
};

const entriesOf = (reasons: PendingReturns) =>
  [...reasons].map(([documentId, reason]) => ({ documentId, reason }));

export function useReview(id: number, envelope: Envelope | undefined, mayDecide: boolean) {
  const { t } = useTranslation(["review", "common"]);
  const client = useQueryClient();
  const lists = usePendingReturnLists();
  const stored = lists.get(id);
  const decide = useDecide();
  const returning = useReturn();
  const pendingReturns = unsentReturns({ documents: envelope?.documents ?? [] }, stored);
  const add = (documentId: number, reason: string) =>
    storePendingReturns(id, new Map(pendingReturnsOf(id)).set(documentId, reason));
  const drop = (documentId: number) =>
    storePendingReturns(id, new Map([...pendingReturnsOf(id)].filter(([other]) => other !== documentId)));
  const elsewhere = [...lists].flatMap(([other, list]): [number, PendingReturns][] => {
    const known = other === id ? undefined : client.getQueryData(envelopeQuery(other).queryKey);
    const unsent = known?.completedAt && unsentReturns(known, list);
    return unsent && unsent.size > 0 ? [[other, unsent]] : [];
  });
  const end = envelope?.expiresAt;
  return {
    /** Whether the caller decides at all. */
    mayDecide,
    /** Returns that are collected and not sent yet. */
    pendingReturns,
    /** The same of the other envelopes that were reviewed since the page was loaded, by envelope. */
    elsewhere,
    /** What was submitted can be accepted and returned, also while the recipient replaces some of it. */
    open: mayDecide && Boolean(envelope?.completedAt),
    /** Sending needs a new expiration date. */
    expired:
      Boolean(end && Date.parse(end) < Date.now()) ||
      (returning.variables?.id === id && needsDate(returning.error)),
    sending: returning.isPending,
    accept(document: EnvelopeDocument) {
      if (pendingReturns.has(document.id)) drop(document.id);
      decide.mutate({ id, accept: [document.id] });
    },
    /** Accepts these in one call, which can be undone. */
    acceptAll(documents: readonly EnvelopeDocument[]) {
      const ids = documents.map(({ id }) => id);
      const undo = { label: t("common:undo"), onAction: () => decide.mutate({ id, undo: ids }) };
      decide.mutate(
        { id, accept: ids },
        { onSuccess: () => toast({ title: t("acceptedAll", { count: ids.length }), action: undo }) },
      );
    },
    /** Undoes the acceptance of a document of any envelope. */
    undoAccepted: (envelopeId: number, documentId: number) =>
      decide.mutate({ id: envelopeId, undo: [documentId] }),
    /** Undoes an acceptance, a return, or a pending return. */
    undo(document: EnvelopeDocument) {
      if (pendingReturns.has(document.id)) drop(document.id);
      else decide.mutate({ id, undo: [document.id] });
    },
    addReturn: (document: EnvelopeDocument, reason: string) => add(document.id, reason),
    discard: () => storePendingReturns(id, new Map()),
    /** Sends the pending returns, and `more` with them, in one call. */
    send({ more, expirationDate, onSent }: SendOptions = {}) {
      const reasons = new Map(pendingReturns);
      if (more) {
        reasons.set(more.documentId, more.reason);
        // If the call fails, the input is still there.
        add(more.documentId, more.reason);
      }
      returning.mutate(
        { id, return: entriesOf(reasons), expirationDate: expirationDate ?? null },
        { onSuccess: onSent },
      );
    },
    /** Sends those of other envelopes, each in one call. @returns the envelope whose link has expired, if one has */
    async sendElsewhere(): Promise<number | undefined> {
      for (const [other, reasons] of elsewhere)
        try {
          await returning.mutateAsync({ id: other, return: entriesOf(reasons), expirationDate: null });
        } catch (error) {
          // The mutation reports other failures.
          if (needsDate(error)) return other;
        }
    },
  };
}
