import { useEffect, useState } from "react";
import type { PDFDocumentProxy } from "./pdfjs";

export type PdfState =
  | { kind: "loading" }
  | { kind: "open"; pdf: PDFDocumentProxy; firstRatio: number }
  /** `locked`: it needs a password. */
  | { kind: "locked" }
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
    open(url, leaving.signal).then(show, (error: unknown) =>
      show({ kind: error instanceof Error && error.name === "PasswordException" ? "locked" : "broken" }),
    );
    return () => leaving.abort();
  }, [url, attempt]);
  const current = opened?.url === url && opened.attempt === attempt;
  return { state: current ? opened.state : LOADING, retry: () => setAttempt(attempt + 1) };
}

async function open(url: string, leaving: AbortSignal): Promise<PdfState> {
  const { openPdf } = await import("./pdfjs");
  if (leaving.aborted) return LOADING;
  const task = openPdf(url);
  leaving.addEventListener("abort", () => void task.destroy());
  const pdf = await task.promise;
  const { width, height } = (await pdf.getPage(1)).getViewport({ scale: 1 });
  return { kind: "open", pdf, firstRatio: height / width };
}
