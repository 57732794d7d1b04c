import type { Language } from "../../contract/options";
import { type MailBrand, senderOf } from "./mail-brand";
import type { MailKey, MailText } from "./mail-texts";

export const PREHEADER_LENGTH = 140;

/** The contents of a mail, independent of HTML or plain text. Every string is text, not markup. */
export type MailContent = {
  subject: string;
  /** The preview text after the subject in a list of mails. */
  preheader: string;
  heading: string;
  greeting?: string;
  paragraphs: string[];
  quote?: { title: string; text: string };
  /** `details` are those of every item. */
  list?: { title: string; details?: string; items: ListItem[] };
  /** Of the blocks, if another one than `ORDER`. */
  order?: readonly Block[];
  facts?: Fact[];
  button?: { label: string; url: string; hint: string };
  /** Hints about the button. */
  note?: string;
  /** What few readers need, small and at the end. */
  finePrint?: { title: string; lines: string[] };
  /** Why the reader gets this mail. */
  reason: string;
  /** Where a reply goes, if not to the account. */
  replyTo?: string;
  /** Whose mail it is, if not the product's. */
  brand?: MailBrand | undefined;
  footerLink?: { label: string; url: string };
};

export type Block = "facts" | "quote" | "button" | "list";
/** How each block becomes HTML or plain text. */
type Renderers = { [Name in Block]: (block: NonNullable<MailContent[Name]>) => string };

// The button comes before most lists, because a long one would push it out of view.
const ORDER: readonly Block[] = ["facts", "quote", "button", "list"];

/** The blocks between the paragraphs and the note, rendered in their order. */
export function blocksOf(content: MailContent, renderers: Renderers): string[] {
  const render = <Name extends Block>(name: Name) => {
    const block: MailContent[Name] = content[name];
    return block ? [renderers[name](block)] : [];
  };
  return (content.order ?? ORDER).flatMap((name) => render(name));
}

export type ListItem = { title: string; url?: string; badge?: string; text?: string; details?: string };
export type Fact = { label: string; value: string };

/** The texts of a mail, the target of its button, the time zone of the account it is about, and when it was queued. */
export type MailContext = {
  t: MailText;
  language: Language;
  link: string;
  timeZone: string | null;
  at: string;
};

/** The mails that have a subject, a heading and a text. */
type MailName = { [Key in MailKey]: Key extends `${infer Name}.heading` ? Name : never }[MailKey];

/** Subject, heading and paragraphs of a mail, of which the first is the preview. */
export function introduction(
  name: MailName,
  { t }: MailContext,
  values: Record<string, string | number>,
  ...furtherParagraphs: string[]
) {
  const text = t(`${name}.text`, values);
  return {
    subject: t(`${name}.subject`, values),
    preheader: text,
    heading: t(`${name}.heading`, values),
    paragraphs: [text, ...furtherParagraphs],
  };
}

export const button = ({ t, link }: MailContext, label: MailKey) => ({
  label: t(label),
  url: link,
  hint: t("linkHint"),
});

/** "Passport: Page 2 is blurry". A full-width colon brings its own space. */
export function labelled(t: MailText, label: string, value: string): string {
  const introduction = t("introduces", { label });
  return `${introduction}${introduction.endsWith("：") ? "" : " "}${value}`;
}

/** Renders the mail as plain text: the same words in the same order as the HTML. */
export function renderText(content: MailContent, t: MailText): string {
  const { heading, greeting, paragraphs, note, finePrint, reason, footerLink, brand } = content;
  const introduce = (label: string) => t("introduces", { label });
  const blocks = [
    heading,
    greeting,
    ...paragraphs,
    ...blocksOf(content, {
      facts: (facts) => facts.map(({ label, value }) => labelled(t, label, value)).join("\n"),
      quote: (quote) => `${introduce(quote.title)}\n${indent(quote.text, "> ")}`,
      button: (button) => `${introduce(button.label)}\n${button.url}`,
      list: ({ title, details, items }) =>
        `${introduce(title)}\n${details ? `${details}\n` : ""}${items.map(listItem).join("\n")}`,
    }),
    note,
    finePrint && `${introduce(finePrint.title)}\n${finePrint.lines.join("\n")}`,
    `-- \n${senderOf(brand)}\n${brand?.footer ? `${brand.footer}\n\n` : ""}${reason}${footerLink ? `\n${labelled(t, footerLink.label, footerLink.url)}` : ""}`,
  ];
  return `${blocks.filter(Boolean).join("\n\n")}\n`;
}

function listItem({ title, url, badge, text, details }: ListItem): string {
  const lines = [`- ${title}${badge ? ` (${badge})` : ""}`];
  if (text) lines.push(indent(text, "  "));
  if (details) lines.push(indent(details, "  "));
  if (url) lines.push(`  ${url}`);
  return lines.join("\n");
}

const indent = (text: string, by: string) =>
  text
    .split("\n")
    .map((line) => `${by}${line}`.trimEnd())
    .join("\n");
