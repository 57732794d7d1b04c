import type { BrandShades } from "../../contract/brand-colors";
import type { Language, LogoGround } from "../../contract/options";
import { escapeHtml } from "../../lib/escape-html";
import type { InlineImage } from "../../ports/mailer";
import { type MailBrand, senderOf } from "./mail-brand";
import { blocksOf, type Fact, type ListItem, type MailContent } from "./mail-content";

/**
 * Renders the mail as HTML for common mail clients: tables, inline styles for light colours, and a style sheet with
 * the dark colours. Loads nothing: the logo is one of the mail's own images. Outlook for Windows knows neither `max-width`
 * nor the padding of a link, so it gets a table of that width and a padding of the cell.
 */
export function renderHtml(content: MailContent, language: Language): string {
  const { heading, greeting, paragraphs, note, finePrint, reason, footerLink, brand } = content;
  const rows = [
    `<h1 class="ink" style="margin:0 0 16px;font-size:22px;line-height:28px;font-weight:600;color:${INK}">${escapeHtml(heading)}</h1>`,
    ...(greeting ? [paragraph(greeting)] : []),
    ...paragraphs.map(paragraph),
    ...blocksOf(content, {
      facts: factTable,
      quote: quoted,
      button: (button) => buttonAndLink(button, brand?.shades?.light),
      list: listed,
    }),
    ...(note ? [soft(note)] : []),
    ...(finePrint ? [small([finePrint.title, ...finePrint.lines].join("\n"))] : []),
  ].join("\n");
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no">
<title>${escapeHtml(content.subject)}</title>
<style>${styles(brand?.shades?.dark)}</style>
<!--[if mso]><style>table,td,p,h1,h2,a,span{font-family:Arial,sans-serif !important}</style><![endif]-->
</head>
<body class="paper" style="margin:0;padding:0;background:${PAPER};-webkit-text-size-adjust:100%">
<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${escapeHtml(content.preheader)}${"&#847;&zwnj;&nbsp;".repeat(40)}</div>
<table role="presentation" class="paper" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:${PAPER}">
<tr><td align="center" class="outer" style="padding:32px 16px">
<!--[if mso]><table role="presentation" width="560" cellpadding="0" cellspacing="0" border="0"><tr><td><![endif]-->
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px;font-family:${FONT}">
<tr><td class="ink" style="padding:0 4px 16px;font-size:17px;line-height:24px;font-weight:600;color:${INK}">${sender(brand)}</td></tr>
<tr><td class="card" style="padding:32px 32px 12px;background:${SURFACE};border:1px solid ${LINE};border-radius:10px">
${rows}
</td></tr>
<tr><td class="soft" style="padding:20px 4px 0;font-size:13px;line-height:19px;color:${SOFT};overflow-wrap:anywhere">${brand?.footer ? `${lines(brand.footer)}<br><br>` : ""}${escapeHtml(reason)}${footerLink ? `<br>${footer(footerLink)}` : ""}</td></tr>
</table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr>
</table>
</body>
</html>
`;
}

const PAPER = "#fbfaf7";
const SURFACE = "#ffffff";
const SUNKEN = "#f5f3ef";
const LINE = "#e0ded8";
const INK = "#171d26";
const SOFT = "#525864";
const OWN_SHADES = { accent: "#1a56a4", ink: "#ffffff", text: "#1a56a4" };
/** Behind a logo where it is not readable. Light in both themes: a logo is made for a light ground, a white one must not vanish. */
const TILE = "#d4d0c6";
const FONT = "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif";

const styles = (shades?: BrandShades) => `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (max-width: 480px) {
  .outer { padding: 16px 12px !important; }
  .card { padding: 24px 20px 8px !important; }
  .wide { width: 100% !important; }
  .button a { display: block !important; text-align: center !important; }
}
@media (prefers-color-scheme: dark) {
  .paper { background: #0e1217 !important; }
  .card { background: #181c22 !important; border-color: #31363d !important; }
  .sunken { background: #0e1217 !important; }
  .ink { color: #f0eee9 !important; }
  .soft { color: #aeaba0 !important; }
  .line { border-color: #31363d !important; }
  .plate { padding: 8px 10px !important; background: ${TILE} !important; }
  .bare { padding: 0 !important; background: transparent !important; }
  .link { color: ${shades?.text ?? "#79b6f4"} !important; }
  .button { background: ${shades?.accent ?? "#79b6f4"} !important; }
  .button a { color: ${shades?.ink ?? "#0e1217"} !important; }
}`;

/** The attributes of a logo's cell: what is inline is for the light theme. */
function plate(readableOn: LogoGround | null): string {
  const onLight = readableOn === "light" || readableOn === "both";
  const onDark = readableOn === "dark" || readableOn === "both";
  const className = onLight === onDark ? "" : `class="${onDark ? "bare" : "plate"}" `;
  const inline = onLight ? "padding:0" : `padding:8px 10px;background:${TILE}`;
  return `${className}${onLight ? "" : `bgcolor="${TILE}" `}style="${inline};border-radius:8px"`;
}

/** Logo and name of the sender: the brand's, otherwise the product's. */
function sender(brand: MailBrand | undefined): string {
  const name = escapeHtml(senderOf(brand));
  if (brand?.logo) {
    const { width, height, hasName } = brand.logo;
    const isNamed = brand.name !== null && !hasName;
    const alt = isNamed || !brand.name ? "" : name;
    const image = `<img src="cid:logo" width="${width}" height="${height}" alt="${alt}" style="display:block;width:${width}px;height:${height}px;border:0">`;
    const tile = `<td ${plate(brand.logo.readableOn)}>${image}</td>`;
    const beside = isNamed
      ? `<td class="ink" style="padding-left:12px;font-size:17px;line-height:24px;font-weight:600;color:${INK};overflow-wrap:anywhere">${name}</td>`
      : "";
    return `<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr>${tile}${beside}</tr></table>`;
  }
  if (brand?.name) return name;
  return `<img src="cid:${LOGO.contentId}" width="28" height="28" alt="" style="display:inline-block;width:28px;height:28px;margin-right:10px;border:0;vertical-align:-8px">${name}`;
}

const paragraph = (text: string) =>
  `<p class="ink" style="margin:0 0 16px;font-size:16px;line-height:24px;color:${INK};overflow-wrap:anywhere">${lines(text)}</p>`;

const soft = (text: string) =>
  `<p class="soft" style="margin:16px 0;font-size:14px;line-height:20px;color:${SOFT};overflow-wrap:anywhere">${lines(text)}</p>`;

const small = (text: string) =>
  `<p class="soft" style="margin:16px 0;font-size:12px;line-height:17px;color:${SOFT};overflow-wrap:anywhere">${lines(text)}</p>`;

const title = (text: string) =>
  `<h2 class="soft" style="margin:0 0 8px;font-size:14px;line-height:20px;font-weight:600;color:${SOFT}">${escapeHtml(text)}</h2>`;

function factTable(facts: Fact[]): string {
  const rows = facts.map(
    ({ label, value }) =>
      `<tr><td style="padding:0 0 12px;font-size:16px;line-height:24px;overflow-wrap:anywhere"><span class="soft" style="font-size:14px;line-height:20px;color:${SOFT}">${escapeHtml(label)}</span><br><span class="ink" style="color:${INK}">${escapeHtml(value)}</span></td></tr>`,
  );
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 12px">${rows.join("\n")}</table>`;
}

const quoted = (quote: { title: string; text: string }) =>
  `${title(quote.title)}
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 24px"><tr><td class="sunken ink" style="padding:14px 16px;background:${SUNKEN};border-radius:8px;font-size:16px;line-height:24px;color:${INK};overflow-wrap:anywhere">${lines(quote.text)}</td></tr></table>`;

const listed = (list: NonNullable<MailContent["list"]>) =>
  `${title(list.title)}
${list.details ? `<p class="soft" style="margin:-4px 0 8px;font-size:14px;line-height:20px;color:${SOFT}">${escapeHtml(list.details)}</p>` : ""}
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 24px">${list.items.map(listItem).join("\n")}</table>`;

function listItem({ title, url, badge, text, details }: ListItem): string {
  const small = `font-size:14px;line-height:20px;color:${SOFT}`;
  const name = url
    ? `<a class="link" href="${escapeHtml(url)}" style="color:${OWN_SHADES.text}">${escapeHtml(title)}</a>`
    : escapeHtml(title);
  return `<tr><td class="line" style="padding:12px 0;border-top:1px solid ${LINE};overflow-wrap:anywhere"><span class="ink" style="font-size:16px;line-height:24px;font-weight:600;color:${INK}">${name}</span>${
    badge ? `<span class="soft" style="${small}"> &nbsp;·&nbsp; ${escapeHtml(badge)}</span>` : ""
  }${text ? `<br><span class="ink" style="font-size:15px;line-height:22px;color:${INK}">${lines(text)}</span>` : ""}${
    details ? `<br><span class="soft" style="${small}">${escapeHtml(details)}</span>` : ""
  }</td></tr>`;
}

function buttonAndLink(
  { label, url, hint }: { label: string; url: string; hint: string },
  { accent, ink, text }: Pick<BrandShades, "accent" | "ink" | "text"> = OWN_SHADES,
): string {
  const href = escapeHtml(url);
  return `<table role="presentation" class="wide" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 20px"><tr><td class="button" bgcolor="${accent}" style="background:${accent};border-radius:8px;mso-padding-alt:13px 24px"><a href="${href}" style="display:inline-block;padding:13px 24px;font-size:16px;line-height:22px;font-weight:600;color:${ink};text-decoration:none">${escapeHtml(label)}</a></td></tr></table>
<p class="soft" style="margin:0 0 24px;font-size:13px;line-height:19px;color:${SOFT}">${escapeHtml(hint)}<br><a class="link" href="${href}" style="color:${text};overflow-wrap:anywhere;word-break:break-all">${href}</a></p>`;
}

const footer = ({ label, url }: { label: string; url: string }) =>
  `<a class="soft" href="${escapeHtml(url)}" style="color:${SOFT};text-decoration:underline">${escapeHtml(label)}</a>`;

const lines = (text: string) => escapeHtml(text).replaceAll("\n", "<br>");

/** `web/public/favicon.svg`, drawn at 56 px and shown at 28. Mail clients show no SVG and block remote images. */
export const LOGO: InlineImage = {
  contentId: "logo",
  fileName: "logo.png",
  mimeType: "image/png",
  base64:
    "iVBORw0KGgoAAAANSUhEUgAAADgAAAA4CAMAAACfWMssAAACClBMVEUAAADt0qDs06D1583s05/58eH15sv16c4ZUaYbU6cbU6cb" +
    "VKgQUK8bU6cbVKgAAP8bU6cbU6gcU6gbU6cbVKcaU6YbUqf///+kutyht9r/////////////////////////////////////////" +
    "///////////////////////////////////////////////////////////////////////t06D68uPy37n479wcVKi4s6IxZLD/" +
    "///w9PppjsW3yeQsYK7s8PdYgb/P2+2iudumvN0lW6uft9rQ3O2/z+fq7/fl6/VQe7xUfr3B0OfA0OcqXq2vw+H9/f7f3dXt1KLt" +
    "1KPf3db+/v+uwuBhiMLw9Pn8+PDw27H8+PHv8vgwY6/C0ef///726c/t06H26dAuYq91l8r09/v79u3v2a3v2a7z9vtzlck1Z7HO" +
    "2uz//vz15sr158rK1+odVaiCoc/4+v369Onv16r3+fyAn84+brXV3+/+/fr05MT05MU7bLQfVqmOqtT7/P758uPu1qfu1qj68+WN" +
    "qdNJdrnf5vL9+/jy4Lz9/Pnc5PFFc7cjWaqettr579358N+ZsthVf77m7Pb9+fH9+fJSfLyguNs9bbWWsNe5yuQ7a7TC0ejg6PPj" +
    "6vUkWqspXq2Pq9SUrtZWgL5Zgr/8/f6RrNUgV6khWKry9fqTrtZx068mAAAANnRSTlMAj79rwP1naEii0aEQoJ4BxcR47OsoYCK2" +
    "tRGkq7m4ure2lZNlYjUxv7sY7hdH8PFEFhWGxEPqX3wzAAACMklEQVRIx+3W+VdMYRgH8OxJRJR1JDtZooRvfWtqaGjRZBehZElJ" +
    "1kJJZZedkMg2ZPsfvXPnzow7d3nv6xw/8f3hnvee5/mc55x77r3vm5DwP+4yYqRlRknh6DzLjBn7h3C9VNpBqbSFMmkPJdIBOksn" +
    "6Cht4IaNYTnOyiSOTwLy8xyTDyRNSDSw5IkIRQ5FJiXHXMpkuIeYkhKFqVCBSI0OnKoGp0VGpkENIk2H6aowPeymzyhQgwUzZ2lw" +
    "NguLVGBRIedo0EPSW+wWFntF+1wNZogVS3zuoK8k1O3RJ27aLG5K/XLoLxWNW7bqEz0sg6+crKiUwcoKsnwbqvSJGQwA1dvJHTt3" +
    "Obnde/aS+6phhEDNfvJArb2rPUgeqgl1xkEcriPrjzRYs4aj9WTdMVhB4PgJsvGklWtqJJtP6W1miJbTZOsZszvbSp5rgT3E+QsX" +
    "ybZ2I2tvIy9djvZYQuBKB9l59XfX1Ul2XIMMorunl7x+I8Ju3iJ7b3dDDoE7d8l7fWHXd5988NBYj8EyYwGPHos360mTeJhPxeJZ" +
    "XFXA2CsXn+f9Qrx4KS79r0zFQPTrMEP4B6hlwG+uOU0UeT34xjv41qoSmxiAUmyf6l+H81ThEDM1OJ/v1OB7LtDgQvKDivtILtLg" +
    "YvKTCgySS8K/8qXkZ/fuC7lM3zuWZ3H46zd37HtwmFkrIvvcylXkj6qfPdIEh5rJ1dmxLXlNJl3Hs9ZwCsjOyXWjcnPW/UOn6V8i" +
    "bfwitQIYcwAAAABJRU5ErkJggg==",
};
