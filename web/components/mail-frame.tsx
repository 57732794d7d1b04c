import { useEffect, useMemo, useState } from "react";
import { PreviewFrame } from "./preview-frame";
import type { Look } from "./preview-look";

type MailFrameProps = {
  /** The mail as the server renders it, with its images as `data:` URLs. */
  html: string;
  title: string;
  look: Look;
};

/** A mail as its reader sees it, in a frame in which nothing is loaded. */
export function MailFrame({ html, title, look }: MailFrameProps) {
  const [page, setPage] = useState<Document | null>(null);
  const mail = useMemo(() => withoutStyles(html), [html]);
  useEffect(() => {
    if (page) applyStyles(page, mail.css, look.theme);
  }, [page, mail, look.theme]);
  return <PreviewFrame title={title} device={look.device} html={mail.markup} onPage={setPage} />;
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
  page.documentElement.style.colorScheme = theme;
  for (const element of page.querySelectorAll<HTMLElement>("[data-style]"))
    element.style.cssText = element.dataset.style ?? "";
  // The link's token is created with the envelope.
  for (const link of page.querySelectorAll("a")) link.removeAttribute("href");
}
