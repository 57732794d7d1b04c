import { useRef, useState } from "react";
import type { Answer } from "../request/submission-api";
import { type Chosen, sendFiles, shares } from "./send-files";

/** How far an upload has come: bytes in all, and the share of each document's file from 0 to 1. */
export type Sending = { sent: number; total: number; shares: ReadonlyMap<string, number> };

export type Submission = {
  sending: Sending | null;
  /** The answer to the last try, where it failed. */
  failure: Answer | null;
  /** Resolves with the answer, or null where the upload was cancelled. */
  send: (chosen: readonly Chosen[]) => Promise<Answer | null>;
  cancel: () => void;
};

export function useSubmission(token: string): Submission {
  const [sending, setSending] = useState<Sending | null>(null);
  const [failure, setFailure] = useState<Answer | null>(null);
  const abort = useRef<AbortController>(null);
  return {
    sending,
    failure,
    async send(chosen) {
      const controller = new AbortController();
      abort.current = controller;
      setFailure(null);
      setSending(progressOf(chosen, { loaded: 0, total: 0 }));
      const answer = await sendFiles(token, chosen, {
        onProgress: (sent) => setSending(progressOf(chosen, sent)),
        signal: controller.signal,
      });
      setSending(null);
      if (answer && answer.status !== 201) setFailure(answer);
      return answer;
    },
    cancel: () => abort.current?.abort(),
  };
}

function progressOf(chosen: readonly Chosen[], sent: { loaded: number; total: number }): Sending {
  const sizes = chosen.map(({ file }) => file.size);
  const parts = shares(sizes, sent);
  return {
    sent: parts.reduce((sum, part, place) => sum + part * (sizes[place] ?? 0), 0),
    total: sizes.reduce((sum, size) => sum + size, 0),
    shares: new Map(chosen.map(({ name }, place) => [name, parts[place] ?? 0])),
  };
}
