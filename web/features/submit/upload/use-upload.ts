import { useRef, useState } from "react";
import type { Answer } from "../request/submission-api";
import { type ChosenFile, sendFiles, uploadedFractions } from "./send-files";

/** How far an upload has come: bytes in all, and the share of each document's file from 0 to 1. */
export type UploadState = { sent: number; total: number; fractions: ReadonlyMap<string, number> };

export type Upload = {
  sending: UploadState | null;
  /** The answer to the last try, where it failed. */
  failure: Answer | null;
  /** Resolves with the answer, or null where the upload was cancelled. */
  send: (chosen: readonly ChosenFile[]) => Promise<Answer | null>;
  cancel: () => void;
};

export function useUpload(token: string): Upload {
  const [sending, setSending] = useState<UploadState | null>(null);
  const [failure, setFailure] = useState<Answer | null>(null);
  const abort = useRef<AbortController>(null);
  return {
    sending,
    failure,
    async send(chosen) {
      const controller = new AbortController();
      abort.current = controller;
      setFailure(null);
      setSending(uploadStateOf(chosen, { loaded: 0, total: 0 }));
      const answer = await sendFiles(token, chosen, {
        onProgress: (sent) => setSending(uploadStateOf(chosen, sent)),
        signal: controller.signal,
      });
      setSending(null);
      if (answer && answer.status !== 201) setFailure(answer);
      return answer;
    },
    cancel: () => abort.current?.abort(),
  };
}

function uploadStateOf(chosen: readonly ChosenFile[], sent: { loaded: number; total: number }): UploadState {
  const sizes = chosen.map(({ file }) => file.size);
  const parts = uploadedFractions(sizes, sent);
  return {
    sent: parts.reduce((sum, part, index) => sum + part * (sizes[index] ?? 0), 0),
    total: sizes.reduce((sum, size) => sum + size, 0),
    fractions: new Map(chosen.map(({ name }, index) => [name, parts[index] ?? 0])),
  };
}
