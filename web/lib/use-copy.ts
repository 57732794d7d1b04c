import { useState } from "react";

/** Copies a text, and says whether it was copied. @param onFailure where the browser does not allow it */
export function useCopy(text: string, onFailure: () => void) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
    } catch {
      onFailure();
    }
  };
  return { copied, copy };
}
