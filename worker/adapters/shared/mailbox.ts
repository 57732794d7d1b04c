import { addressOf } from "../../config";
import { DeliveryError, type Mail } from "../../ports/mailer";

/** Exactly one address: nothing that a mail library could parse as a second one, a group, a comment or a header. */
const BARE_ADDRESS = /^[^\s<>()[\]\\,;:"@\p{Cc}]+@[^\s<>()[\]\\,;:"@\p{Cc}]+$/u;

/** @throws DeliveryError, permanent, if the text is not exactly one bare address */
export function requireBareAddress(address: string): string {
  if (!BARE_ADDRESS.test(address)) throw new DeliveryError("Not a mail address", { permanent: true });
  return address;
}

/** Splits `Name <address>`; line breaks are removed from the name. */
export function parseMailbox(mailbox: string): { name: string; address: string } {
  const address = addressOf(mailbox);
  const name = mailbox.endsWith(">") ? mailbox.slice(0, mailbox.lastIndexOf("<")) : "";
  return { name: singleLine(name.replace(/^\s*"(.*)"\s*$/, "$1")), address: requireBareAddress(address) };
}

/** Removes control characters from a header's text, so that it cannot start another header. */
export function singleLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, " ").trim();
}

/** The headers for a mail client's own button to unsubscribe (RFC 2369, RFC 8058). */
export function unsubscribeHeaders({ unsubscribeUrl }: Mail): Record<string, string> {
  if (!unsubscribeUrl) return {};
  return {
    "List-Unsubscribe": `<${unsubscribeUrl}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
  };
}
