import { useEffect, useState } from "react";

/** Safari has no requestIdleCallback. */
const FALLBACK_MS = 200;

/** Whether the page has been idle once since it was loaded. */
export function useIsPageIdle(): boolean {
  const [isIdle, setIsIdle] = useState(false);
  useEffect(() => {
    const becomeIdle = () => setIsIdle(true);
    const waitForIdle = () => {
      if ("requestIdleCallback" in window) requestIdleCallback(becomeIdle);
      else setTimeout(becomeIdle, FALLBACK_MS);
    };
    if (document.readyState === "complete") return waitForIdle();
    addEventListener("load", waitForIdle);
    return () => removeEventListener("load", waitForIdle);
  }, []);
  return isIdle;
}
