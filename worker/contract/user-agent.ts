/** The first match counts, since many browsers also claim to be others. */
const BROWSERS = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, "Chrome"],
  [/\bVersion\/.*\bSafari\//, "Safari"],
  [/^curl\//, "curl"],
] as const;

const SYSTEMS = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bMacintosh\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
] as const;

type Names = readonly (readonly [RegExp, string])[];

const match = (names: Names, userAgent: string) => names.find(([pattern]) => pattern.test(userAgent))?.[1];

/** The browser and the operating system in a User-Agent header, if known. */
export function parseUserAgent(userAgent: string): {
  browser: string | undefined;
  system: string | undefined;
} {
  return { browser: match(BROWSERS, userAgent), system: match(SYSTEMS, userAgent) };
}
