import { type CSSProperties, memo, useCallback, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Spinner } from "../../../../components/ui/spinner";
import type { PDFDocumentProxy, PDFPageProxy } from "./pdfjs";

type PdfPageProps = {
  pdf: PDFDocumentProxy;
  number: number;
  /** On the screen, in CSS pixels. */
  width: number;
  /** Added to the page's own, in degrees. */
  rotation: number;
  /** Height by width, until the page is loaded. */
  ratio: number;
  /** In view, or nearly: a page is drawn only then. */
  near: boolean;
  /** Called when it is drawn, or what is wrong with it is said. */
  onShown: () => void;
};

/** One page of a PDF: a picture, and over it its text to select. Its space is reserved before it is drawn. */
export const PdfPage = memo(function PdfPage(props: PdfPageProps) {
  const { pdf, number, width, rotation, ratio, near, onShown } = props;
  const { t } = useTranslation("review");
  const picture = useRef<HTMLDivElement>(null);
  const text = useRef<HTMLDivElement>(null);
  const [page, setPage] = useState<PDFPageProxy>();
  const [problem, setProblem] = useState<PageProblem>();
  const report = useCallback(
    (found: PageProblem | undefined) => {
      setProblem(found);
      onShown();
    },
    [onShown],
  );
  const viewport = page?.getViewport({ scale: 1, rotation: page.rotate + rotation });
  const scale = viewport ? width / viewport.width : 1;
  const upright = rotation % 180 === 0 ? ratio : 1 / ratio;
  const height = width * (viewport ? viewport.height / viewport.width : upright);

  useEffect(() => {
    if (!near || page) return;
    let leaving = false;
    pdf.getPage(number).then(
      (loaded) => !leaving && setPage(loaded),
      () => !leaving && report("page"),
    );
    return () => {
      leaving = true;
    };
  }, [near, page, pdf, number, report]);

  useEffect(() => {
    if (!page || !picture.current) return;
    if (near) return drawPage(page, picture.current, { width, rotation }, report);
    releaseCanvases(picture.current);
    page.cleanup();
  }, [near, page, width, rotation, report]);

  useEffect(() => {
    if (page && near && text.current) return drawText(page, text.current, rotation);
  }, [near, page, rotation]);

  return (
    <div
      data-page={number}
      className="relative shrink-0 bg-white shadow-float"
      style={{ width, height, "--total-scale-factor": scale } as CSSProperties}
    >
      <div
        ref={picture}
        role="img"
        aria-label={t("mode.page", { page: number, count: pdf.numPages })}
        className="peer size-full [&>canvas]:size-full"
      />
      {near && !problem && (
        // A page that takes seconds to draw would look like an empty one. It is white in both themes.
        <div className="absolute inset-x-0 top-0 hidden h-full max-h-[60vh] place-content-center text-black/60 peer-empty:grid">
          <Spinner className="size-6" />
        </div>
      )}
      <div ref={text} className="pdf-text" />
      {problem && (
        <p
          role="alert"
          className="absolute inset-x-0 top-0 bg-warn-soft px-3 py-2 text-center text-sm text-warn"
        >
          {t(`mode.problems.${problem}`)}
        </p>
      )}
    </div>
  );
});

/** Safari draws nothing on a canvas of more pixels. */
const MAX_PIXELS = 16_000_000;

/** The part of a page that could not be shown: all of it, or a picture on it. */
type PageProblem = "page" | "picture";

/**
 * Draws the page, and replaces what was drawn before once it is ready.
 * @param report called with what could not be drawn, or undefined
 * @returns a function that stops it
 */
function drawPage(
  page: PDFPageProxy,
  host: HTMLElement,
  { width, rotation }: { width: number; rotation: number },
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
function drawText(page: PDFPageProxy, container: HTMLElement, rotation: number): () => void {
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

function releaseCanvases(host: HTMLElement): void {
  // Safari frees a canvas late, unless it is empty.
  for (const canvas of host.querySelectorAll("canvas")) canvas.width = 0;
  host.replaceChildren();
}
