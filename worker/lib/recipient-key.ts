/**
 * A canonical form of an address or number, so that a counter by it cannot be bypassed: without case, the "+tag" that
 * most mail servers ignore, and everything in a number but its digits.
 */
export function recipientKey(recipient: string): string {
  const at = recipient.lastIndexOf("@");
  if (at < 0) return recipient.replace(/\D/g, "");
  const [mailbox = ""] = recipient.slice(0, at).split("+");
  return `${mailbox}${recipient.slice(at)}`.toLowerCase();
}
