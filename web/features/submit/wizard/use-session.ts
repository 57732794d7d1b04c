import { useEffect, useState } from "react";
import type { RequestState } from "../request/request-state";
import type { ConnectedUploads } from "../upload/connect-uploads";
import type { Receipt } from "../upload/receipt";
import type { Submitting } from "../upload/submit";
import type { LaterSteps } from "./load-later-steps";
import type { WizardStore } from "./use-wizard-state";

/** Uploads and submitting, once the later steps are loaded. */
type Session = { uploads: ConnectedUploads } & Submitting;

type SessionOptions = {
  token: string;
  /** The step in view; from the second on, files can be uploaded. */
  step: number;
  onState: (state: RequestState) => void;
  onDone: (receipt: Receipt) => void;
};

/** Creates the session, and shows what other devices have changed when the page becomes visible again. */
export function useSession(
  store: WizardStore,
  laterSteps: LaterSteps | null,
  { token, step, onState, onDone }: SessionOptions,
): Session | null {
  const [session, setSession] = useState<Session | null>(null);
  if (laterSteps && !session) {
    const uploads = laterSteps.connectUploads({ token, onState, ...store });
    setSession({ uploads, ...laterSteps.createSubmitting({ token, uploads, onState, onDone, ...store }) });
  }
  const uploads = session?.uploads;
  useEffect(() => {
    if (step > 0) uploads?.open();
  }, [step, uploads]);
  useEffect(() => {
    const refresh = () => document.visibilityState === "visible" && void uploads?.refresh();
    document.addEventListener("visibilitychange", refresh);
    return () => document.removeEventListener("visibilitychange", refresh);
  }, [uploads]);
  return session;
}
