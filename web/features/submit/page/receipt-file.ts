import type { Brand } from "../../../../worker/contract/brand";
import { shownLogoSize } from "../../../../worker/contract/logo-size";
import { startDownload } from "../../../lib/start-download";
import { type Receipt, requestorName, type SubmittedRequest } from "../request/request-state";
import { requestTitle } from "../request/request-texts";
import type { useTexts } from "../translation/use-texts";

type Texts = Pick<ReturnType<typeof useTexts>, "t" | "size" | "dateTime" | "language">;

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;color:#1c2230;background:#fff;max-width:44rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.5rem;margin:0 0 1rem}h2{font-size:1rem;margin:1.5rem 0 .5rem}dl{display:grid;grid-template-columns:max-content 1fr;gap:.25rem 1.5rem;margin:0 0 1.5rem}
dt{color:#5a6172}dd{margin:0;overflow-wrap:anywhere}ul{list-style:none;margin:0;padding:0;border-top:1px solid #ccc}
li{padding:.75rem 0;border-bottom:1px solid #ccc;break-inside:avoid}strong{display:block}span{display:block;overflow-wrap:anywhere}
.text{white-space:pre-line}code{font:.8125rem/1.4 ui-monospace,monospace;overflow-wrap:anywhere}p{color:#5a6172}header{display:flex;align-items:center;gap:.75rem;margin:0 0 2rem;font-weight:600}
.plate{background:#d4d0c6;border-radius:8px;padding:4px 8px;print-color-adjust:exact}footer{white-space:pre-line;color:#5a6172;margin:2rem 0 0}@media print{body{margin:0;max-width:none}}`;

/** A question and its answer, or what was not submitted and why, as people read them. */
export type NamedText = { name: string; text: string };
type NamedTexts = Record<"answers" | "left", readonly NamedText[]>;

/** The receipt as a page that needs nothing beside itself. */
function receiptHtml(
  { request, ...receipt }: Receipt,
  { answers, left }: NamedTexts,
  brand: ReceiptBrand,
  texts: Texts,
): string {
  const { t, size, dateTime, language } = texts;
  const facts = [
    ...(request
      ? [
          [t("receipt.request"), requestTitle(request, t)],
          [t("receipt.receivedBy"), sentTo(request)],
        ]
      : []),
    [t("receipt.time"), `${dateTime(new Date(receipt.submittedAt))} (${receipt.submittedAt})`],
  ];
  const files = receipt.files.map(
    ({ documentName, fileName, fileSize, sha256 }) =>
      `<li><strong>${escapeHtml(documentName)}</strong><span>${escapeHtml(fileName)}</span>` +
      `<span>${escapeHtml(t("labelled", { label: t("receipt.size"), value: `${size(fileSize)} (${fileSize})` }))}</span>` +
      `${sha256 ? `<code>SHA-256 ${escapeHtml(sha256)}</code>` : ""}</li>`,
  );
  const title = escapeHtml(t("receipt.title"));
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${title}</title><style>${STYLE}</style></head><body>${brandHeader(brand)}<h1>${title}</h1><dl>${facts
    .map(([term = "", value = ""]) => `<dt>${escapeHtml(term)}</dt><dd>${escapeHtml(value)}</dd>`)
    .join("")}</dl><ul>${[...files, ...answers.map(namedItem)].join("")}</ul>${
    left.length > 0
      ? `<h2>${escapeHtml(t("complete.left"))}</h2><ul>${left.map(namedItem).join("")}</ul>`
      : ""
  }${
    receipt.files.some(({ sha256 }) => sha256) ? `<p>${escapeHtml(t("receipt.note"))}</p>` : ""
  }${brand?.footer ? `<footer>${escapeHtml(brand.footer)}</footer>` : ""}</body></html>`;
}

const namedItem = ({ name, text }: NamedText) =>
  `<li><strong>${escapeHtml(name)}</strong><span class="text">${escapeHtml(text)}</span></li>`;

/** A brand, and its logo as a data URL. */
type ReceiptBrand = (Brand & { image: string | null }) | null;

function brandHeader(brand: ReceiptBrand): string {
  const { name, logo, image } = brand ?? {};
  const size = logo && shownLogoSize(logo);
  const text = escapeHtml(name ?? "");
  if (!logo || !size || !image) return text && `<header>${text}</header>`;
  const plate = logo.readableOn === "light" || logo.readableOn === "both" ? "" : ' class="plate"';
  const alt = logo.hasName ? text : "";
  const picture = `<img${plate} src="${image}" width="${size.width}" height="${size.height}" alt="${alt}">`;
  return `<header>${picture}${logo.hasName ? "" : text}</header>`;
}

/** The logo as a data URL; null if it cannot be loaded. */
async function readLogo(brand: Brand | null): Promise<string | null> {
  if (!brand?.logo) return null;
  try {
    const response = await fetch(brand.logo.url);
    if (!response.ok) return null;
    const blob = await response.blob();
    return await new Promise((resolve) => {
      const reader = new FileReader();
      reader.onload = () => resolve(String(reader.result));
      reader.onerror = () => resolve(null);
      reader.readAsDataURL(blob);
    });
  } catch {
    return null;
  }
}

function sentTo({ user }: SubmittedRequest): string {
  return [...new Set([requestorName(user), user.companyName, user.email].filter(Boolean))].join(", ");
}

/** Lets the browser save the receipt as a file. */
export async function downloadReceipt(
  receipt: Receipt,
  named: NamedTexts,
  brand: Brand | null,
  texts: Texts,
): Promise<void> {
  const html = receiptHtml(receipt, named, brand && { ...brand, image: await readLogo(brand) }, texts);
  const url = URL.createObjectURL(new Blob([html], { type: "text/html" }));
  startDownload(url, `${texts.t("receipt.title")} ${receipt.submittedAt.slice(0, 10)}.html`);
  // Safari still reads it after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
