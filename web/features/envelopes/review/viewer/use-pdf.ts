import { useEffect, useState } from "react";
import type { PDFDocumentProxy } from "./pdfjs";

export type PdfState =
  | { kind: "loading" }
  | { kind: "open"; pdf: PDFDocumentProxy; firstRatio: number }
  /** It needs a password; `wrong` after one that does not open it. */
  | { kind: "locked"; wrong: boolean; unlock: (password: string) => void }
  | { kind: "broken" };

const LOADING: PdfState = { kind: "loading" };

/** Opens a PDF; pdf.js itself is loaded for the first one. */
export function usePdf(url: string): { state: PdfState; retry: () => void } {
  const [attempt, setAttempt] = useState(0);
  const [opened, setOpened] = useState<{ url: string; attempt: number; state: PdfState }>();
  useEffect(() => {
    const leaving = new AbortController();
    const show = (state: PdfState) => {
      if (!leaving.signal.aborted) setOpened({ url, attempt, state });
    };
    open(url, show, leaving.signal).then(show, () => show({ kind: "broken" }));
    return () => leaving.abort();
  }, [url, attempt]);
  const current = opened?.url === url && opened.attempt === attempt;
  return { state: current ? opened.state : LOADING, retry: () => setAttempt(attempt + 1) };
}

async function open(url: string, show: (state: PdfState) => void, leaving: AbortSignal): Promise<PdfState> {
  const { openPdf } = await import("./pdfjs");
  if (leaving.aborted) return LOADING;
  const task = openPdf(url, (request) => show({ kind: "locked", ...request }));
  leaving.addEventListener("abort", () => void task.destroy());
  const pdf = await task.promise;
  const { width, height } = (await pdf.getPage(1)).getViewport({ scale: 1 });
  return { kind: "open", pdf, firstRatio: height / width };
}
