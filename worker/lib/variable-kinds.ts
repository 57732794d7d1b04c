import * as z from "zod/mini";
import { asciiDomain, isCountryCode, isEmailAddress, normalizeAddress } from "../contract/patterns";
import { isLoopback } from "./public-address";

/** The kinds of values that variables have. An issue's message completes the sentence "SMTP_URL must be". */

export const text = z.string().check(z.trim(), z.minLength(1));
export const url = (...protocols: string[]) =>
  text.check(
    z.refine((value) => URL.canParse(value) && isOneOf(protocols, new URL(value)), {
      error: `a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(" or ")}`,
      // Further checks can parse it.
      abort: true,
    }),
  );

const isOneOf = (protocols: string[], { protocol, host }: URL) =>
  protocols.includes(protocol) && (protocol === "file:" || host !== "");

/** A password with one of these characters ends the address early: `#` and `?` silently, `/` as an invalid port. */
export const smtpUrl = z.pipe(
  text.check(
    z.refine(
      (value) => !/^smtps?:/i.test(value) || !hasUnescapedCredentials(value),
      "“smtp://user:password@host:port”, where user and password have %25 for %, %2F for /, %3F for ?, %23 for #, %20 for a space",
    ),
  ),
  url("smtp:", "smtps:"),
);

function hasUnescapedCredentials(value: string): boolean {
  const [, credentials = ""] = /^smtps?:\/\/(.*)@/i.exec(value) ?? [];
  return /[/?#\s]|%(?![\da-f]{2})/i.test(credentials);
}

export const wholeNumber = (min: number, max: number) =>
  z.pipe(
    text.check(
      z.refine(
        (value) => /^\d+$/.test(value) && Number(value) >= min && Number(value) <= max,
        `a whole number from ${min} to ${max}`,
      ),
    ),
    z.transform(Number),
  );

export const mailbox = text.check(
  z.refine(
    (value) => /^[^<>\r\n]*<[^<>\s@]+@[^<>\s@]+>$|^[^<>\s@]+@[^<>\s@]+$/.test(value),
    "“Name <address>” or an address",
  ),
);

/** Values separated by spaces, commas or lines. */
const list = z.pipe(
  text,
  z.transform((value) => value.split(/[\s,]+/).filter(Boolean)),
);

export const addresses = z
  .pipe(
    list,
    z.transform((values) => values.map(normalizeAddress)),
  )
  .check(z.refine((list) => list.every(isEmailAddress), "comma-separated addresses"));

/** Of telephone numbers. */
export const countryCodes = list.check(
  z.refine((codes) => codes.length > 0 && codes.every(isCountryCode), "country codes such as “+1, +49”"),
);

/** Of an OpenID provider. Its tokens must not cross a network unencrypted. */
export const issuer = url("https:", "http:").check(
  z.refine((value) => {
    const { protocol, hostname, search, hash } = new URL(value);
    return (protocol === "https:" || isLoopback(hostname)) && search === "" && hash === "";
  }, "a URL that starts with https:// and has no query"),
);

/** Of a server for tests, which gets what is meant for others: nobody else can listen there. */
export const loopbackUrl = url("http:", "https:").check(
  z.refine(
    (value) => isLoopback(new URL(value).hostname),
    "a URL of this machine, such as http://127.0.0.1:4000",
  ),
);

export const domains = z
  .pipe(
    list,
    z.transform((values) =>
      values.map((domain) => asciiDomain(domain.toLowerCase().replace(/^@/, ""))).filter(Boolean),
    ),
  )
  .check(
    z.refine(
      (list) => list.length > 0 && list.every((domain) => /^[^\s@/:]+\.[^\s@/:]+$/.test(domain)),
      "comma-separated domains such as example.com",
    ),
  );

/** Keys that encrypt: the first one seals, the others only open. */
export const secretKeys = list.check(
  z.refine(
    (keys) => keys.length > 0 && keys.every((key) => key.length >= 32),
    "a random text of at least 32 characters, or several, separated by spaces",
  ),
);

export const onOrOff = z.enum(["on", "off"], { error: "“on” or “off”" });
