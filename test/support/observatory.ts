/**
 * The score that Mozilla's HTTP Observatory gives headers of a page over https, by its table of 2026 and in its words.
 * Its own package brings two hundred others, and so is run by hand.
 */
export function observatoryScore(headers: Headers): number {
  const modifiers = Object.values(modifiersOf(headers));
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 100);
  const without = sum(modifiers.filter((value) => value < 0));
  // What is better than it has to be counts only where nothing much is worse.
  return without >= 90 ? sum(modifiers) : without;
}

/** From here on the grade is A+. */
export const A_PLUS = 100;

function modifiersOf(headers: Headers): Record<string, number> {
  const policy = parsePolicy(headers.get("Content-Security-Policy"));
  const age = Number(/max-age=(\d+)/.exec(headers.get("Strict-Transport-Security") ?? "")?.[1] ?? 0);
  return {
    "content-security-policy": policyModifier(policy),
    "strict-transport-security": age === 0 ? -20 : age < 15_768_000 ? -10 : 0,
    "x-content-type-options": headers.get("X-Content-Type-Options") === "nosniff" ? 0 : -5,
    "x-frame-options": framesModifier(policy, headers.get("X-Frame-Options")),
    "referrer-policy": referrerModifier(headers.get("Referrer-Policy")),
    "cross-origin-resource-policy": /^same-(?:origin|site)$/.test(
      headers.get("Cross-Origin-Resource-Policy") ?? "",
    )
      ? 10
      : 0,
    "cross-origin-resource-sharing": headers.get("Access-Control-Allow-Origin") === null ? 0 : -50,
    cookies: Math.min(0, ...headers.getSetCookie().map(cookieModifier)),
  };
}

type Policy = Map<string, string[]>;
const UNSAFE = /^(?:'unsafe-inline'|\*|https?:|ftp:|data:)/;

function parsePolicy(header: string | null): Policy {
  const directives = (header ?? "").split(";").flatMap((part) => {
    const [name, ...sources] = part.trim().split(/\s+/);
    return name ? [[name, sources] as const] : [];
  });
  return new Map(directives);
}

function policyModifier(policy: Policy): number {
  const sourcesOf = (name: string) => policy.get(name) ?? policy.get("default-src") ?? ["*"];
  const has = (name: string, pattern: RegExp) => sourcesOf(name).some((source) => pattern.test(source));
  if (policy.size === 0) return -25;
  if (has("script-src", UNSAFE) || has("object-src", UNSAFE)) return -20;
  if (has("script-src", /'unsafe-eval'/) || has("style-src", /'unsafe-eval'/)) return -10;
  if (has("img-src", /^(?:http|ftp):/)) return -10;
  if (has("style-src", UNSAFE)) return 0;
  return policy.get("default-src")?.join() === "'none'" ? 10 : 5;
}

function framesModifier(policy: Policy, header: string | null): number {
  const ancestors = policy.get("frame-ancestors");
  if (ancestors && !ancestors.some((source) => UNSAFE.test(source))) return 5;
  return /^(?:deny|sameorigin)$/i.test(header ?? "") ? 0 : -20;
}

function referrerModifier(header: string | null): number {
  if (header === null) return 0;
  return /^(?:no-referrer|same-origin|strict-origin|strict-origin-when-cross-origin)$/.test(header) ? 5 : -5;
}

function cookieModifier(cookie: string): number {
  const has = (attribute: string) => new RegExp(`;\\s*${attribute}`, "i").test(cookie);
  if (!has("Secure")) return -40;
  if (!has("HttpOnly")) return -30;
  return has("SameSite=(?:Lax|Strict)") ? 0 : -20;
}
