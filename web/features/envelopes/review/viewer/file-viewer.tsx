import { type ReactNode, type RefObject, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { FileName } from "../../../../components/ui/file-name";
import { cx } from "../../../../lib/cx";
import { useFormat } from "../../../../lib/use-format";
import { DownloadButton } from "../../download";
import type { Submission } from "../../envelopes.queries";
import { PdfView } from "./pdf-view";
import { IMAGES, PDF, type View, ViewFailed, ViewLoading, ViewMessage } from "./view";

/** Scrollable content must be focusable, which not every browser does by itself. */
export const FOCUSABLE = { tabIndex: 0 };

type FileViewerProps = {
  /** Undefined for the answer to a question. */
  file: Submission | undefined;
  /** What it is called without a file. */
  name: string;
  zoom: number;
  rotation: number;
  viewer: RefObject<HTMLElement | null>;
  /** Called with the page in view, of a PDF. */
  onPage: (text: string) => void;
  /** Called when it is on the screen, or the reason why it cannot be shown. Must be stable. */
  onShown: () => void;
  /** Shown where there is no file. */
  children: ReactNode;
};

/** Shows a file if its type is safe to render in every browser, or an answer. It scrolls, also by the keyboard. */
export function FileViewer(props: FileViewerProps) {
  const { file, name, zoom, rotation, viewer, onPage, onShown, children } = props;
  const { width, height } = useSize(viewer);
  return (
    <div className="relative flex min-h-0 flex-1">
      <section
        ref={viewer}
        data-viewer
        aria-label={file ? file.fileName : name}
        {...FOCUSABLE}
        className="peer flex min-w-0 flex-1 overflow-auto bg-sunken p-3 outline-none [scrollbar-gutter:stable_both-edges]"
      >
        {file && width > 0 && (
          <Content file={file} view={{ zoom, rotation, width, height }} onPage={onPage} onShown={onShown} />
        )}
        {!file && <ViewAnswer onShown={onShown}>{children}</ViewAnswer>}
      </section>
      {/* Pages would cover the section's own outline. */}
      <div
        aria-hidden
        className="pointer-events-none absolute inset-0 -outline-offset-2 outline-accent peer-focus-visible:outline-2"
      />
    </div>
  );
}

function ViewAnswer({ onShown, children }: Pick<FileViewerProps, "onShown" | "children">) {
  useEffect(onShown, [onShown]);
  return <div className="m-auto w-full max-w-2xl rounded-card bg-surface p-5 text-base">{children}</div>;
}

type ContentProps = Pick<FileViewerProps, "onPage" | "onShown"> & { file: Submission; view: View };

function Content({ file, view, onPage, onShown }: ContentProps) {
  const { t } = useTranslation(["review", "envelopes"]);
  const format = useFormat();
  const { url, withheld, mimeType } = file;
  if (!url)
    return (
      <ViewMessage onShown={onShown}>
        {withheld === null || withheld === "deleted"
          ? t("mode.deleted")
          : t(`envelopes:detail.withheld.${withheld}`)}
      </ViewMessage>
    );
  if (mimeType === PDF)
    return <PdfView file={file} url={url} view={view} onPage={onPage} onShown={onShown} />;
  if (IMAGES.includes(mimeType)) return <ImageView key={url} file={file} view={view} onShown={onShown} />;
  return (
    <ViewMessage onShown={onShown} action={<DownloadButton submission={file} primary />}>
      <p className="font-medium text-ink">
        <FileName name={file.fileName} />
      </p>
      <p>{format.size(file.fileSize)}</p>
      <p className="mt-2">{t("envelopes:file.noPreview")}</p>
    </ViewMessage>
  );
}

/** The size inside an element and its padding, whenever it changes. */
function useSize(element: RefObject<HTMLElement | null>): { width: number; height: number } {
  const [size, setSize] = useState({ width: 0, height: 0 });
  useEffect(() => {
    const { current } = element;
    if (!current) return;
    const observer = new ResizeObserver(([entry]) => {
      if (!entry) return;
      // Without the padding, which grows with the default font.
      const { width, height } = entry.contentRect;
      setSize({ width: Math.floor(width), height: Math.floor(height) });
    });
    observer.observe(current);
    return () => observer.disconnect();
  }, [element]);
  return size;
}

type Size = { width: number; height: number };

/** A picture, in the window as a whole until it is enlarged. */
function ImageView({ file, view, onShown }: Omit<ContentProps, "onPage">) {
  const { t } = useTranslation("review");
  const [attempt, setAttempt] = useState(0);
  const [natural, setNatural] = useState<Size>();
  const [broken, setBroken] = useState(false);
  if (broken)
    return (
      <ViewFailed
        file={file}
        onShown={onShown}
        onRetry={() => {
          setBroken(false);
          setAttempt(attempt + 1);
        }}
      />
    );
  const upright = view.rotation % 180 === 0;
  const shown = natural && fitted(upright ? natural : turned(natural), view);
  const image = shown && (upright ? shown : turned(shown));
  return (
    // A rotated picture keeps its original layout box, so the box around it gets the right size.
    <div className="relative m-auto shrink-0" style={shown}>
      {!natural && <ViewLoading />}
      <img
        key={attempt}
        src={file.url ?? undefined}
        alt={file.fileName || t("mode.documents")}
        onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) => {
          setNatural({ width: width || 300, height: height || 300 });
          onShown();
        }}
        onError={() => setBroken(true)}
        className={cx("absolute top-1/2 left-1/2 max-w-none bg-white", !natural && "invisible")}
        style={{ ...image, transform: `translate(-50%, -50%) rotate(${view.rotation}deg)` }}
      />
    </div>
  );
}

const turned = ({ width, height }: Size): Size => ({ width: height, height: width });

function fitted({ width, height }: Size, view: View): Size {
  const scale = Math.min(1, view.width / width, view.height / height) * view.zoom;
  return { width: width * scale, height: height * scale };
}
