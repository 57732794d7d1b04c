import { useEffect, useRef, useState } from "react";
import { createTrustedPolicy } from "../lib/trusted-types";
import type { Look } from "./preview-look";

type PreviewFrameProps = {
  title: string;
  device: Look["device"];
  /** The HTML of our own server. No script of it runs. */
  html: string;
  /** Whether what the app renders into it reacts, which WebKit allows in no sandbox. */
  live?: boolean;
  /** Called with each document that the frame shows. */
  onPage: (page: Document) => void;
};

/** CSS pixels; `desktop` is as wide as a mail or the recipient's page, and the ground beside it. */
const WIDTHS = { desktop: 720, phone: 375 };

/** A document as wide as on a device and as high as it is, made smaller where there is less room. */
export function PreviewFrame({ title, device, html, live = false, onPage }: PreviewFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [page, setPage] = useState<Document | null>(null);
  const [height, setHeight] = useState(320);
  const { ref, scale } = useScale(WIDTHS[device]);
  useEffect(() => {
    if (frame.current) frame.current.srcdoc = trusted(html);
  }, [html]);
  useEffect(() => {
    if (!page) return;
    page.documentElement.style.overflow = "hidden";
    const measure = () => setHeight(page.body.scrollHeight);
    const resized = new ResizeObserver(measure);
    resized.observe(page.body);
    // WebKit does not observe the size of elements in another document.
    const changed = new MutationObserver(measure);
    changed.observe(page.body, { attributes: true, childList: true, characterData: true, subtree: true });
    return () => {
      resized.disconnect();
      changed.disconnect();
    };
  }, [page]);
  useEffect(() => {
    if (page && device) setHeight(page.body.scrollHeight);
  }, [page, device]);
  return (
    <div ref={ref} className="overflow-hidden" style={{ height: height * scale }}>
      <iframe
        ref={frame}
        title={title}
        sandbox={live ? undefined : "allow-same-origin"}
        onLoad={({ currentTarget: { contentDocument } }) => {
          setPage(contentDocument);
          if (contentDocument) onPage(contentDocument);
        }}
        className="mx-auto block origin-top-left rounded-card border border-line"
        style={{ width: WIDTHS[device], height, transform: `scale(${scale})` }}
      />
    </div>
  );
}

/** How much smaller the frame must be to fit into its place. */
function useScale(width: number) {
  const ref = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState(width);
  useEffect(() => {
    if (!ref.current) return;
    const observer = new ResizeObserver(([entry]) => entry && setRoom(entry.contentRect.width));
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, []);
  return { ref, scale: Math.min(1, room / width) };
}

let policy: ReturnType<typeof createTrustedPolicy>;

function trusted(html: string): string {
  policy ??= createTrustedPolicy("mail", { createHTML: (own) => own });
  return policy?.createHTML(html) ?? html;
}
