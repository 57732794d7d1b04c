import type { PDFPageProxy } from "./pdfjs";

/** Safari draws nothing on a canvas of more pixels. */
const MAX_PIXELS = 16_000_000;

/** The part of a page that could not be shown: all of it, or a picture on it. */
export type PageProblem = "page" | "picture";

type Look = { width: number; rotation: number };

/**
 * Draws the page, and replaces what was drawn before once it is ready.
 * @param report called with what could not be drawn, or undefined
 * @returns a function that stops it
 */
export function drawPage(
  page: PDFPageProxy,
  host: HTMLElement,
  { width, rotation }: Look,
  report: (problem: PageProblem | undefined) => void,
): () => void {
  const natural = page.getViewport({ scale: 1, rotation: page.rotate + rotation });
  const wanted = (width / natural.width) * devicePixelRatio;
  const scale = Math.min(wanted, Math.sqrt(MAX_PIXELS / (natural.width * natural.height)));
  const viewport = page.getViewport({ scale, rotation: page.rotate + rotation });
  const canvas = document.createElement("canvas");
  canvas.width = Math.floor(viewport.width);
  canvas.height = Math.floor(viewport.height);
  const task = page.render({ canvas, viewport });
  task.promise.then(
    () => {
      releaseCanvases(host);
      host.append(canvas);
      report(lacksPicture(page) ? "picture" : undefined);
    },
    (error: unknown) => {
      if (error instanceof Error && error.name === "RenderingCancelledException") return;
      report("page");
    },
  );
  return () => task.cancel();
}

/** pdf.js leaves out a picture that it cannot decode. A scanned page would look like an empty one. */
function lacksPicture({ objs }: PDFPageProxy): boolean {
  for (const [, data] of objs) if (data === null) return true;
  return false;
}

/** Places the page's text over its picture, transparent, so that it can be selected. @returns a function that removes it */
export function drawText(page: PDFPageProxy, container: HTMLElement, rotation: number): () => void {
  const leaving = new AbortController();
  // Without its text, the page is still shown.
  renderText(page, container, rotation, leaving.signal).catch(() => undefined);
  return () => {
    leaving.abort();
    container.replaceChildren();
  };
}

async function renderText(
  page: PDFPageProxy,
  container: HTMLElement,
  rotation: number,
  leaving: AbortSignal,
): Promise<void> {
  const { TextLayer } = await import("./pdfjs");
  if (leaving.aborted) return;
  const viewport = page.getViewport({ scale: 1, rotation: page.rotate + rotation });
  const { pageWidth, pageHeight } = viewport.rawDims as { pageWidth: number; pageHeight: number };
  const layer = new TextLayer({ textContentSource: page.streamTextContent(), container, viewport });
  // pdf.js sets these with CSS that needs a browser of 2024.
  container.style.width = `calc(var(--total-scale-factor) * ${pageWidth}px)`;
  container.style.height = `calc(var(--total-scale-factor) * ${pageHeight}px)`;
  leaving.addEventListener("abort", () => layer.cancel());
  await layer.render();
}

export function releaseCanvases(host: HTMLElement): void {
  // Safari frees a canvas late, unless it is empty.
  for (const canvas of host.querySelectorAll("canvas")) canvas.width = 0;
  host.replaceChildren();
}
