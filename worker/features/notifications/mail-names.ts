import type { NotificationContext } from "../../../db/queries/notification-context";
import { TITLE_PREFIX } from "../../contract/product";
import { oneLine } from "./formats";

type User = NonNullable<NotificationContext["user"]>;
type Envelope = NonNullable<NotificationContext["envelope"]>;

const NAME_LENGTH = 100;

/** What to call the requestor: the name, else the company, each cut at `max`; else the address, which stays whole. */
export function requestorName(
  user: Pick<User, "firstName" | "lastName" | "companyName" | "email">,
  max = NAME_LENGTH,
): string {
  const name = oneLine([user.firstName, user.lastName].filter(Boolean).join(" "));
  return (name || oneLine(user.companyName ?? "")).slice(0, max).trim() || user.email;
}

/** Name, company and address, so that a stranger can judge whether the mail is genuine. */
export function requestorLine(user: User): string {
  const company = oneLine(user.companyName ?? "");
  const name = requestorName(user);
  const parts = company && company !== name ? [name, company] : [name];
  return name === user.email ? name : `${parts.join(", ")} (${user.email})`;
}

/** The recipient's name, otherwise the address the envelope was sent to. */
export function recipientName(envelope: Envelope): string {
  const name = oneLine(envelope.recipientName ?? "") || oneLine(envelope.title.replace(TITLE_PREFIX, ""));
  return (name || envelope.customerEmail || envelope.recipientPhone || "").slice(0, NAME_LENGTH);
}

/** The display name of a sender, without characters that could terminate it or look like an address. */
export function senderName(text: string): string {
  return oneLine(text)
    .replace(/[<>"\\,;:()[\]]/g, "")
    .replace(/\s+/g, " ");
}
