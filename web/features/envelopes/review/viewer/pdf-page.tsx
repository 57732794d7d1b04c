import { type CSSProperties, memo, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { drawPage, drawText, type PageProblem, releaseCanvases } from "./draw-page";
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
};

/** One page of a PDF: a picture, and over it its text to select. Its space is reserved before it is drawn. */
export const PdfPage = memo(function PdfPage({ pdf, number, width, rotation, ratio, near }: PdfPageProps) {
  const { t } = useTranslation("review");
  const picture = useRef<HTMLDivElement>(null);
  const text = useRef<HTMLDivElement>(null);
  const [page, setPage] = useState<PDFPageProxy>();
  const [problem, setProblem] = useState<PageProblem>();
  const viewport = page?.getViewport({ scale: 1, rotation: page.rotate + rotation });
  const scale = viewport ? width / viewport.width : 1;
  const upright = rotation % 180 === 0 ? ratio : 1 / ratio;
  const height = width * (viewport ? viewport.height / viewport.width : upright);

  useEffect(() => {
    if (!near || page) return;
    let leaving = false;
    pdf.getPage(number).then(
      (loaded) => !leaving && setPage(loaded),
      () => !leaving && setProblem("page"),
    );
    return () => {
      leaving = true;
    };
  }, [near, page, pdf, number]);

  useEffect(() => {
    if (!page || !picture.current) return;
    if (near) return drawPage(page, picture.current, { width, rotation }, setProblem);
    releaseCanvases(picture.current);
    page.cleanup();
  }, [near, page, width, rotation]);

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
        className="size-full [&>canvas]:size-full"
      />
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
