/** Without case and accents: "Müller" becomes "muller". */
export const foldText = (text: string): string => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

const DIGITS = /\d+/g;

/** The length of a number sorts before its digits: "2" becomes "12", "10" becomes "210". */
function numberKey(digits: string): string {
  const value = digits.replace(/^0+(?=.)/, "");
  const length = String(value.length);
  return value.length < 9 ? length + value : `9${numberKey(length)}${value}`;
}

/**
 * By which texts are sorted: without case and accents, each run of digits by its value ("2" before "10", "02" like "2"), all
 * else by code point. As UTF-8, which sorts as code points do.
 */
export const textKey = (text: string): string => foldText(text).replace(DIGITS, numberKey);
