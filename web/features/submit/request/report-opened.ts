import { submissionUrl } from "./submission-api";

const ACTIONS = ["pointerdown", "keydown"] as const;

/**
 * Reports that the request was opened, at the first key or pointer press. Link scanners do neither.
 * @returns a cleanup function
 */
export function reportOpened(token: string): () => void {
  const stop = () => {
    for (const action of ACTIONS) removeEventListener(action, report);
  };
  const report = ({ isTrusted }: Event) => {
    if (!isTrusted) return;
    stop();
    // The recipient has no use for a failure message.
    fetch(`${submissionUrl(token)}/opened`, { method: "POST", keepalive: true }).catch(() => {});
  };
  for (const action of ACTIONS) addEventListener(action, report, { passive: true });
  return stop;
}
