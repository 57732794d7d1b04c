import { useEffect, useMemo, useRef, useState } from "react";
import { createTrustedPolicy } from "../lib/trusted-types";
import type { Look } from "./preview-look";

type MailFrameProps = {
  /** The mail as the server renders it, with its images as `data:` URLs. */
  html: string;
  title: string;
  look: Look;
};

/** CSS pixels; `desktop` is as wide as a mail and the ground beside it. */
const WIDTHS = { desktop: 640, phone: 375 };

/** A mail as its reader sees it, in a frame in which no script runs and nothing is loaded. */
export function MailFrame({ html, title, look }: MailFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [page, setPage] = useState<Document | null>(null);
  const [height, setHeight] = useState(320);
  const mail = useMemo(() => withoutStyles(html), [html]);
  const { ref, scale } = useScale(WIDTHS[look.device]);
  useEffect(() => {
    if (frame.current) frame.current.srcdoc = trusted(mail.markup);
  }, [mail]);
  useEffect(() => {
    if (page) applyStyles(page, mail.css, look.theme);
  }, [page, mail, look.theme]);
  useEffect(() => {
    if (!page) return;
    const observer = new ResizeObserver(() => setHeight(page.body.scrollHeight));
    observer.observe(page.body);
    return () => observer.disconnect();
  }, [page]);
  return (
    <div ref={ref} className="overflow-hidden" style={{ height: height * scale }}>
      <iframe
        ref={frame}
        title={title}
        sandbox="allow-same-origin"
        onLoad={({ currentTarget }) => setPage(currentTarget.contentDocument)}
        className="mx-auto block origin-top-left rounded-card border border-line"
        style={{ width: WIDTHS[look.device], height, transform: `scale(${scale})` }}
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

const STYLE_SHEET = /<style>(.*?)<\/style>/s;
const POLICY = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:">`;

/**
 * The app's Content-Security-Policy, which the frame inherits, allows no inline styles: they are taken out of the HTML, and
 * `applyStyles` sets them. Texts of a mail contain no quotation mark that is not escaped.
 */
function withoutStyles(html: string) {
  const markup = html
    .replace(STYLE_SHEET, "")
    .replaceAll(' style="', ' data-style="')
    .replace("<head>", `<head>${POLICY}`);
  return { markup, css: STYLE_SHEET.exec(html)?.[1] ?? "" };
}

function applyStyles(page: Document, css: string, theme: Look["theme"]): void {
  const { defaultView } = page;
  if (!defaultView) return;
  const sheet = new defaultView.CSSStyleSheet();
  sheet.replaceSync(css.replaceAll("(prefers-color-scheme: dark)", theme === "dark" ? "all" : "not all"));
  page.adoptedStyleSheets = [sheet];
  Object.assign(page.documentElement.style, { colorScheme: theme, overflow: "hidden" });
  for (const element of page.querySelectorAll<HTMLElement>("[data-style]"))
    element.style.cssText = element.dataset.style ?? "";
  // The link's token is created with the envelope.
  for (const link of page.querySelectorAll("a")) link.removeAttribute("href");
}

let policy: ReturnType<typeof createTrustedPolicy>;

/** The HTML of our own server, for a frame in which no script runs. */
function trusted(html: string): string {
  policy ??= createTrustedPolicy("mail", { createHTML: (own) => own });
  return policy?.createHTML(html) ?? html;
}
