/** Signs that languages group digits with, beside a locale's own: none of them is a decimal sign anywhere. */
const GROUPS = "   '’";

const known = new Map<string, { group: string; decimal: string }>();

/** How a locale writes numbers. */
function signsOf(locale: string): { group: string; decimal: string } {
  const signs = known.get(locale) ?? readSigns(locale);
  known.set(locale, signs);
  return signs;
}

function readSigns(locale: string) {
  const parts = new Intl.NumberFormat(locale, { useGrouping: true }).formatToParts(1234567.5);
  const find = (type: string) => parts.find((part) => part.type === type)?.value ?? "";
  return { group: find("group"), decimal: find("decimal") };
}

/**
 * A number as it is typed in the language: "1.234,50" in German. Digits of full width count, and a real minus.
 * @returns the number with a point, or null if the text is none or could be read in another way ("3,2" in English)
 */
export function readTypedNumber(typed: string, locale: string): string | null {
  const { group, decimal } = signsOf(locale);
  const text = typed
    .trim()
    .replace(/[０-９．，－]/g, (sign) => sign.normalize("NFKC"))
    .replace(/^[−–]/, "-");
  const groups = [...new Set(`${group}${GROUPS}`)].filter((sign) => sign !== decimal).join("");
  const [whole = "", decimals, ...more] = text.split(decimal);
  if (more.length > 0 || (decimals !== undefined && !/^\d+$/.test(decimals))) return null;
  const [, sign, digits = ""] = /^(-?)(.*)$/s.exec(whole) ?? [];
  const separator = [...digits].find((character) => groups.includes(character));
  const parts = separator === undefined ? [digits] : digits.split(separator);
  const [first = "", ...rest] = parts;
  const isGrouped =
    rest.every((part) => /^\d{3}$/.test(part)) && (rest.length === 0 || /^\d{1,3}$/.test(first));
  if (!/^\d+$/.test(first) || !isGrouped) return null;
  return `${sign}${parts.join("")}${decimals === undefined ? "" : `.${decimals}`}`;
}

/** A number as it is kept, "1234.50", as the language writes it. */
export function writeNumber(number: string, locale: string): string {
  const { decimal } = signsOf(locale);
  const [whole = "", decimals] = number.split(".");
  const shown = new Intl.NumberFormat(locale).format(BigInt(whole));
  // "-0.5" has no negative whole number.
  const signed = whole.startsWith("-") && !/[1-9]/.test(whole) ? `-${shown.replace("-", "")}` : shown;
  return decimals === undefined ? signed : `${signed}${decimal}${decimals}`;
}
