import { senderOf } from "./mail-brand";
import { blocksOf, type ListItem, type MailContent } from "./mail-content";
import type { MailText } from "./mail-texts";

/** Renders the mail as plain text: the same words in the same order as the HTML. */
export function renderText(content: MailContent, t: MailText): string {
  const { heading, greeting, paragraphs, note, finePrint, reason, footerLink, brand } = content;
  const introduce = (label: string) => t("introduces", { label });
  const blocks = [
    heading,
    greeting,
    ...paragraphs,
    ...blocksOf(content, {
      facts: (facts) => facts.map(({ label, value }) => `${introduce(label)} ${value}`).join("\n"),
      quote: (quote) => `${introduce(quote.title)}\n${indent(quote.text, "> ")}`,
      button: (button) => `${introduce(button.label)}\n${button.url}`,
      list: (list) => `${introduce(list.title)}\n${list.items.map(listItem).join("\n")}`,
    }),
    note,
    finePrint && `${introduce(finePrint.title)}\n${finePrint.lines.join("\n")}`,
    `-- \n${senderOf(brand)}\n${brand?.footer ? `${brand.footer}\n\n` : ""}${reason}${footerLink ? `\n${introduce(footerLink.label)} ${footerLink.url}` : ""}`,
  ];
  return `${blocks.filter(Boolean).join("\n\n")}\n`;
}

function listItem({ title, badge, text, details }: ListItem): string {
  const lines = [`- ${title}${badge ? ` (${badge})` : ""}`];
  if (text) lines.push(indent(text, "  "));
  if (details) lines.push(indent(details, "  "));
  return lines.join("\n");
}

const indent = (text: string, by: string) =>
  text
    .split("\n")
    .map((line) => `${by}${line}`.trimEnd())
    .join("\n");
