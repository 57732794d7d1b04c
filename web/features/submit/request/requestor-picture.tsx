import { useEffect, useState } from "react";
import { cx } from "../../../lib/cx";
import { submissionUrl } from "./submission-api";

const SIDE = 52;

type RequestorPictureProps = { token: string; name: string; hasPicture: boolean };

/**
 * The requestor's picture, or the initials until it is loaded, if there is none, or if it fails to load. It is
 * decoration, because the name is next to it. It may be large, so it is loaded last.
 */
export function RequestorPicture({ token, name, hasPicture }: RequestorPictureProps) {
  const [state, setState] = useState<"loading" | "loaded" | "failed">("loading");
  const isIdle = useIsPageIdle();
  return (
    <span
      aria-hidden
      className="relative flex size-13 shrink-0 items-center justify-center overflow-hidden rounded-full bg-accent font-semibold text-accent-ink text-lg"
    >
      <span>{state !== "loaded" && initials(name)}</span>
      {hasPicture && isIdle && state !== "failed" && (
        <img
          src={`${submissionUrl(token)}/picture`}
          alt=""
          width={SIDE}
          height={SIDE}
          decoding="async"
          fetchPriority="low"
          onLoad={() => setState("loaded")}
          onError={() => setState("failed")}
          className={cx(
            "absolute inset-0 size-full object-cover",
            state === "loaded" ? "bg-sunken" : "opacity-0",
          )}
        />
      )}
    </span>
  );
}

function initials(name: string): string {
  const words = name.split(/[\s@.]+/).filter(Boolean);
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => [...(word ?? "")][0]);
  // One character represents a Chinese or Japanese name better than two separate ones.
  const wanted = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(name)
    ? letters.slice(0, 1)
    : letters;
  return wanted.join("").toUpperCase();
}

/** Safari has no requestIdleCallback. */
const FALLBACK_MS = 200;

/** Whether the page has been idle once since it was loaded. */
function useIsPageIdle(): boolean {
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
