import { submissionUrl } from "./submission-api";

const ACTIONS = ["pointerdown", "keydown"] as const;

/**
 * Tells the server, at the first thing that a person does here, that somebody has the request before them.
 * Programs that only look at links do nothing of the kind.
 * @returns what stops it
 */
export function reportOpened(token: string): () => void {
  const stop = () => {
    for (const action of ACTIONS) removeEventListener(action, report);
  };
  const report = ({ isTrusted }: Event) => {
    if (!isTrusted) return;
    stop();
    // Of no use to the recipient, so nothing is said where it fails.
    fetch(`${submissionUrl(token)}/opened`, { method: "POST", keepalive: true }).catch(() => {});
  };
  for (const action of ACTIONS) addEventListener(action, report, { passive: true });
  return stop;
}
