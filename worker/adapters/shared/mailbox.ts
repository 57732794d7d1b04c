import { addressOf } from "../../config";
import { DeliveryError } from "../../ports/mailer";

/** One address and nothing a mail library could read as a second one, a group, a comment or a header. */
const BARE_ADDRESS = /^[^\s<>()[\]\\,;:"@\p{Cc}]+@[^\s<>()[\]\\,;:"@\p{Cc}]+$/u;

/** @throws DeliveryError, permanent, where the text is not exactly one bare address */
export function requireBareAddress(address: string): string {
  if (!BARE_ADDRESS.test(address)) throw new DeliveryError("Not a mail address", { permanent: true });
  return address;
}

/** `Name <address>` in its two parts; the name has no line break left. */
export function parseMailbox(mailbox: string): { name: string; address: string } {
  const address = addressOf(mailbox);
  const name = mailbox.endsWith(">") ? mailbox.slice(0, mailbox.lastIndexOf("<")) : "";
  return { name: singleLine(name.replace(/^\s*"(.*)"\s*$/, "$1")), address: requireBareAddress(address) };
}

/** A header's text: no control character, so that it cannot begin another header. */
export function singleLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, " ").trim();
}
