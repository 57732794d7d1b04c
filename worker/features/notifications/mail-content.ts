/** The contents of a mail, independent of HTML or plain text. Every string is text, not markup. */
export type MailContent = {
  subject: string;
  /** The preview text after the subject in a list of mails. */
  preheader: string;
  heading: string;
  greeting?: string;
  paragraphs: string[];
  quote?: { title: string; text: string };
  list?: { title: string; items: ListItem[] };
  facts?: Fact[];
  button?: { label: string; url: string; hint: string };
  /** Hints about the button. */
  note?: string;
  /** Why the reader gets this mail. */
  reason: string;
};

export type ListItem = { title: string; badge?: string; text?: string; details?: string };
export type Fact = { label: string; value: string };
