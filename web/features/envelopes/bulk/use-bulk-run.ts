import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { Envelope } from "../envelopes.queries";
import { type BulkAction, type BulkResult, runAction } from "./bulk-actions";

type BulkRunState =
  | { kind: "confirming" }
  | { kind: "running"; done: number }
  | { kind: "finished"; result: BulkResult };

/** Runs an action on these envelopes; calls `onDone` after it was done with all of them. */
export function useBulkRun(action: BulkAction, envelopes: readonly Envelope[], onDone: () => void) {
  const client = useQueryClient();
  const [state, setState] = useState<BulkRunState>({ kind: "confirming" });
  const controller = useRef<AbortController>(null);
  useEffect(() => () => controller.current?.abort(), []);
  return {
    state,
    async run() {
      controller.current = new AbortController();
      const { signal } = controller.current;
      const onProgress = (done: number) => setState({ kind: "running", done });
      onProgress(0);
      const result = await runAction(action, envelopes, { signal, onProgress });
      if (action !== "download") void client.invalidateQueries({ queryKey: ["requests"] });
      if (result.stopped > 0 || result.failures.length > 0) setState({ kind: "finished", result });
      else onDone();
    },
    /** Begins no more calls; the result is shown once those that run have ended. */
    stop: () => controller.current?.abort(),
  };
}
