/** What a mail says, before it is HTML or plain text. Every string is text, not markup. */
export type MailContent = {
  subject: string;
  /** What a list of mails shows after the subject. */
  preheader: string;
  heading: string;
  greeting?: string;
  paragraphs: string[];
  quote?: { title: string; text: string };
  list?: { title: string; items: ListItem[] };
  facts?: Fact[];
  button?: { label: string; url: string; hint: string };
  /** What has to be known about the button. */
  note?: string;
  /** Why the person gets it. */
  reason: string;
};

export type ListItem = { title: string; badge?: string; text?: string; details?: string };
export type Fact = { label: string; value: string };
