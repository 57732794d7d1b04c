import { PRODUCT_NAME } from "../../contract/product";
import type { ListItem, MailContent } from "./mail-content";

/** The mail for who reads it without HTML: the same words in the same order. */
export function renderText(content: MailContent): string {
  const { heading, greeting, paragraphs, facts, quote, list, button, note, reason } = content;
  const blocks = [
    heading,
    greeting,
    ...paragraphs,
    facts?.map(({ label, value }) => `${label}: ${value}`).join("\n"),
    quote && `${quote.title}:\n${indent(quote.text, "> ")}`,
    list && `${list.title}:\n${list.items.map(listItem).join("\n")}`,
    button && `${button.label}:\n${button.url}`,
    note,
    `-- \n${PRODUCT_NAME}\n${reason}`,
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
