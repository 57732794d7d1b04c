import { toUnicode } from "punycode/punycode.es6.js";

/** An address whose domain has a label in ASCII form. */
const INTERNATIONAL = /^[^\s@]+@(?:[^\s@.]+\.)*xn--[^\s@]+$/;

/** Parses a response, with each international address as people write it. The server takes either form. */
export const parseShown = (text: string): unknown =>
  JSON.parse(text, (_key, value: unknown) =>
    typeof value === "string" && INTERNATIONAL.test(value) ? shownAddress(value) : value,
  );

function shownAddress(address: string): string {
  try {
    return toUnicode(address);
  } catch {
    return address;
  }
}
