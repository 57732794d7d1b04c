import { memo, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { PDFDocumentProxy, PDFPageProxy } from "./pdfjs";

/** Safari draws nothing on a canvas of more pixels. */
const MAX_PIXELS = 16_000_000;

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
};

/** One page of a PDF. Its room is reserved before it is drawn. */
export const PdfPage = memo(function PdfPage({ pdf, number, width, rotation, ratio, near }: PdfPageProps) {
  const { t } = useTranslation("review");
  const host = useRef<HTMLDivElement>(null);
  const [page, setPage] = useState<PDFPageProxy>();
  const viewport = page?.getViewport({ scale: 1, rotation: page.rotate + rotation });
  const upright = rotation % 180 === 0 ? ratio : 1 / ratio;
  const height = width * (viewport ? viewport.height / viewport.width : upright);

  useEffect(() => {
    if (!near || page) return;
    let leaving = false;
    pdf.getPage(number).then(
      (loaded) => !leaving && setPage(loaded),
      () => undefined,
    );
    return () => {
      leaving = true;
    };
  }, [near, page, pdf, number]);

  useEffect(() => {
    if (!page || !host.current) return;
    if (near) return draw(page, host.current, { width, rotation });
    clear(host.current);
    page.cleanup();
  }, [near, page, width, rotation]);

  return (
    <div
      ref={host}
      data-page={number}
      role="img"
      aria-label={t("mode.page", { page: number, count: pdf.numPages })}
      className="shrink-0 bg-white shadow-float [&>canvas]:size-full"
      style={{ width, height }}
    />
  );
});

/** Draws the page, and replaces what was drawn before once it is ready. @returns what stops it */
function draw(page: PDFPageProxy, host: HTMLElement, look: { width: number; rotation: number }): () => void {
  const natural = page.getViewport({ scale: 1, rotation: page.rotate + look.rotation });
  const wanted = (look.width / natural.width) * devicePixelRatio;
  const scale = Math.min(wanted, Math.sqrt(MAX_PIXELS / (natural.width * natural.height)));
  const viewport = page.getViewport({ scale, rotation: page.rotate + look.rotation });
  const canvas = document.createElement("canvas");
  canvas.width = Math.floor(viewport.width);
  canvas.height = Math.floor(viewport.height);
  const task = page.render({ canvas, viewport });
  task.promise.then(
    () => {
      clear(host);
      host.append(canvas);
    },
    () => undefined,
  );
  return () => task.cancel();
}

function clear(host: HTMLElement): void {
  // Safari frees a canvas late, unless it is empty.
  for (const canvas of host.querySelectorAll("canvas")) canvas.width = 0;
  host.replaceChildren();
}
