import { existsSync } from "node:fs";
import { VARIABLE_NAMES, type Variables } from "../../config";
import { isLoopback } from "../../lib/public-address";
import { holdFile } from "./resources";
import { STOP_SECONDS } from "./stop";

/** How long the unit (TimeoutStopSec) and compose.yaml (stop_grace_period) of worker/deploy wait for the end. */
const SUPERVISOR_SECONDS = 60;
/** Prefixes of variables that hardly any other program reads. */
const OWN_PREFIX = /^(?:SMTP|S3|TWILIO|RESEND|CLAMAV)_/;

/** Letters by which a long misspelled name differs. */
const MOST_MISTAKES = 2;

/** Something valid that is probably a mistake. */
export type Advice = {
  /** In a few words, for the log. */
  event: string;
  problem: string;
  /** What to do about it. */
  advice: string;
};

/** Variables that are valid on their own, but do not fit together or have no effect. */
export function configurationAdvice(
  variables: Variables,
  environment: Record<string, string | undefined>,
): Advice[] {
  return [
    ...adviceOnUrl(variables),
    ...adviceOnDatabase(variables),
    ...adviceOnSignUp(variables),
    ...adviceOnLimits(variables),
    ...adviceOnHeldMail(variables),
    ...adviceOnNames(environment),
  ];
}

function adviceOnUrl({ PUBLIC_URL, HOST, TRUSTED_PROXIES }: Variables): Advice[] {
  if (!PUBLIC_URL) {
    if (isLoopback(HOST)) return [];
    return [
      {
        event: "PUBLIC_URL is not set",
        problem: `HOST is ${HOST}, and PUBLIC_URL is not set: links in mails lead to localhost, and sign-up and every other change are rejected from other addresses`,
        advice: "set PUBLIC_URL to the address that people open, such as https://docs.example.com",
      },
    ];
  }
  const { protocol, hostname, origin, pathname, search, hash } = new URL(PUBLIC_URL);
  const found: Advice[] = [];
  if (protocol === "http:" && !isLoopback(hostname))
    found.push({
      event: "PUBLIC_URL is not https",
      problem: "PUBLIC_URL is http: passwords, cookies and documents are sent unencrypted",
      advice: "put an https proxy in front, and set PUBLIC_URL to https://",
    });
  if (protocol === "https:" && TRUSTED_PROXIES === 0)
    found.push({
      event: "TRUSTED_PROXIES is 0",
      problem:
        "PUBLIC_URL is https, which needs a proxy in front, but TRUSTED_PROXIES is 0: all clients share its address in rate limits and in the log",
      advice: "set TRUSTED_PROXIES to the number of your proxies, usually 1",
    });
  if (pathname + search + hash !== "/")
    found.push({
      event: "PUBLIC_URL has a path",
      problem: `PUBLIC_URL has a path, ${pathname}${search}${hash}, which is ignored: links lead to ${origin}`,
      advice: `serve the app at the root of a domain, and set PUBLIC_URL to ${origin} or to that domain`,
    });
  return found;
}

function adviceOnDatabase({ DATABASE_URL }: Variables): Advice[] {
  const { protocol } = new URL(DATABASE_URL ?? "file:");
  if (protocol !== "http:" && protocol !== "https:") return [];
  const scheme = protocol.replace("http", "ws");
  return [
    {
      event: `DATABASE_URL is ${protocol.slice(0, -1)}`,
      problem: `DATABASE_URL begins with ${protocol}//: the database server opens the database again for each call, so that a list takes it six times as long`,
      advice: `write ${scheme}// instead, unless a proxy in between lets no web sockets through`,
    },
  ];
}

function adviceOnSignUp({ SIGN_UP = "open", SIGN_UP_DOMAINS }: Variables): Advice[] {
  if (!SIGN_UP_DOMAINS || SIGN_UP === "domains") return [];
  return [
    {
      event: "SIGN_UP_DOMAINS has no effect",
      problem: `SIGN_UP_DOMAINS is set, but has no effect, because SIGN_UP is “${SIGN_UP}”`,
      advice: "set SIGN_UP to “domains”, or unset SIGN_UP_DOMAINS",
    },
  ];
}

function adviceOnLimits({ MAX_FILE_MB, MAX_ENVELOPE_MB, STOP_DELAY }: Variables): Advice[] {
  const found: Advice[] = [];
  if (MAX_ENVELOPE_MB !== undefined && MAX_FILE_MB > MAX_ENVELOPE_MB)
    found.push({
      event: "MAX_FILE_MB is above MAX_ENVELOPE_MB",
      problem: `MAX_FILE_MB is ${MAX_FILE_MB}, but all files of an envelope together have at most ${MAX_ENVELOPE_MB} MB, so no file can be larger than that`,
      advice: "raise MAX_ENVELOPE_MB, or lower MAX_FILE_MB",
    });
  const stop = STOP_DELAY + STOP_SECONDS;
  if (stop > SUPERVISOR_SECONDS)
    found.push({
      event: "STOP_DELAY is long",
      problem: `STOP_DELAY is ${STOP_DELAY}, so a stop can take ${stop} seconds, but the systemd unit and compose.yaml kill the server after ${SUPERVISOR_SECONDS} unless you have changed them`,
      advice: `lower STOP_DELAY, or set TimeoutStopSec (stop_grace_period in compose.yaml) to ${stop} or more`,
    });
  return found;
}

function adviceOnHeldMail(variables: Variables): Advice[] {
  const path = holdFile(variables);
  if (!existsSync(path)) return [];
  return [
    {
      event: "messages are held",
      problem: `${path} exists, so no mail, text message or webhook is sent`,
      advice: "remove it and restart the server to send all that waits, unless this is a drill",
    },
  ];
}

/** Names that are probably misspelled. */
function adviceOnNames(environment: Record<string, string | undefined>): Advice[] {
  const known = new Set(VARIABLE_NAMES.flatMap((name) => [name, `${name}_FILE`]));
  return Object.keys(environment).flatMap((name) => {
    const meant = known.has(name) ? undefined : meantBy(name);
    if (!meant) return [];
    return [
      {
        event: "unknown variable",
        problem: `${name} is not a variable of Doculopes, so it has no effect`,
        advice: `set ${meant} instead, or unset ${name}`,
      },
    ];
  });
}

/** The variable with the most similar name, if the given name is similar enough to be a mistake. */
function meantBy(name: string): string | undefined {
  const [, given = "", suffix = ""] = /^(?:DOCULOPES_)?(.*?)(_FILE)?$/is.exec(name) ?? [];
  const [prefix] = OWN_PREFIX.exec(given) ?? [];
  // The distance is at least the difference in length.
  const similar = (known: string) =>
    prefix ? known.startsWith(prefix) : Math.abs(plain(known).length - plain(given).length) <= MOST_MISTAKES;
  const [nearest] = VARIABLE_NAMES.filter(similar)
    .map((known) => ({ known, letters: distance(plain(given), plain(known)) }))
    .sort((one, other) => one.letters - other.letters);
  if (!nearest) return undefined;
  const { known, letters } = nearest;
  const tolerated = known.length < 8 ? 0 : known.length < 10 ? 1 : MOST_MISTAKES;
  return prefix || letters <= tolerated ? known + suffix : undefined;
}

const plain = (name: string) => name.toUpperCase().replaceAll(/[^A-Z0-9]/g, "");

/** The Levenshtein distance: how many letters must be inserted, deleted or replaced. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
