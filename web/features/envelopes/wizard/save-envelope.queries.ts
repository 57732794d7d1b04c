import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { ApiError, api, byId, isChangedMeanwhile, isRejection, json } from "../../../lib/api";
import type { MutationTexts } from "../../../lib/mutation-meta";
import { randomText } from "../../../lib/random-text";
import type { Envelope } from "../envelope";
import { useSendingText } from "../sending-time";

/** The envelope was not sent but saved as a draft, until the requestor's address is verified. */
export function isSavedAsDraft(error: unknown): boolean {
  return error instanceof ApiError && "draftId" in error.params;
}

/** Failures after which the envelope is another one than before, which the wizard says. */
const isReportedByWizard = (error: unknown) => isSavedAsDraft(error) || isChangedMeanwhile(error);

const SAVE_TEXTS: Record<"draft" | "sent", Record<"created" | "updated", MutationTexts>> = {
  draft: {
    created: {
      success: { title: "envelopes:save.draftSaved", text: "envelopes:save.draftText" },
      failure: { title: "envelopes:save.createFailed" },
    },
    updated: {
      success: { title: "envelopes:save.draftUpdated", text: "envelopes:save.draftText" },
      failure: { title: "envelopes:save.updateFailed", except: isReportedByWizard },
    },
  },
  sent: {
    created: {
      success: { title: "envelopes:save.created", text: "envelopes:save.sentText" },
      failure: { title: "envelopes:save.createFailed", except: isSavedAsDraft },
    },
    updated: {
      success: { title: "envelopes:save.updated", text: "envelopes:save.sentText" },
      failure: { title: "envelopes:save.updateFailed", except: isReportedByWizard },
    },
  },
};

type EnvelopePayload = Parameters<typeof api.requests.$post>[0]["json"] & { updatedAt: string | null };
type ContactPayload = Parameters<typeof api.contacts.$post>[0]["json"];

/** Creates an envelope, or replaces the one with this id; as a draft or sent. */
export function useSaveEnvelope(kind: "draft" | "sent", id: number | undefined) {
  const client = useQueryClient();
  const sendingText = useSendingText();
  // The server may have created the contact and the envelope although its response did not arrive.
  const last = useRef<{ typed: string; key: string; contactId?: number }>({ typed: "", key: "" });
  const texts = SAVE_TEXTS[kind][id === undefined ? "created" : "updated"];
  return useMutation({
    mutationFn: async ({ newContact, ...payload }: EnvelopePayload & { newContact?: ContactPayload }) => {
      const typed = JSON.stringify({ ...payload, contactId: null });
      if (typed !== last.current.typed) last.current = { typed, key: randomText() };
      const attempt = last.current;
      const once = (call: string) => ({ headers: { "Idempotency-Key": `${call}-${attempt.key}` } });
      if (newContact)
        attempt.contactId ??= (await json(api.contacts.$post({ json: newContact }, once("contact")))).id;
      const contactId = payload.contactId ?? attempt.contactId ?? null;
      const body = { ...payload, contactId, isDraft: kind === "draft" };
      if (id === undefined) return json(api.requests.$post({ json: body }, once("envelope")));
      return json(api.requests[":id"].$put({ ...byId(id), json: body }));
    },
    onSettled: (saved, error, { newContact }) => {
      // Home's header leads to the schedules once there are any.
      if (saved?.status === "scheduled") void client.invalidateQueries({ queryKey: ["workspaces"] });
      if (isRejection(error)) last.current.typed = "";
      // Also after a failure: then the contact is known when the envelope is sent again.
      if (newContact) void client.invalidateQueries({ queryKey: ["contacts"] });
      if (!error || isReportedByWizard(error)) return client.invalidateQueries({ queryKey: ["requests"] });
    },
    meta: {
      ...texts,
      ...(texts.success && {
        success: { ...texts.success, textOf: (saved: unknown) => sendingText(saved as Envelope) },
      }),
    },
  });
}
