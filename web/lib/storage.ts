type Area = "localStorage" | "sessionStorage";

/** The stored text; null if there is none, or if the browser allows no storage. */
export function readStored(key: string, area: Area = "localStorage"): string | null {
  try {
    return globalThis[area].getItem(key);
  } catch {
    return null;
  }
}

/** Stores a text, or removes it if it is null. Where the browser allows no storage, the page goes on without. */
export function writeStored(key: string, text: string | null, area: Area = "localStorage"): void {
  try {
    if (text === null) globalThis[area].removeItem(key);
    else globalThis[area].setItem(key, text);
  } catch {
    // Not allowed, or full.
  }
}

/** The value that is stored as JSON; null for anything else. */
export function readStoredJson(key: string, area: Area = "localStorage"): unknown {
  try {
    return JSON.parse(readStored(key, area) ?? "null");
  } catch {
    return null;
  }
}

/** The keys that begin with the prefix. */
export function storedKeys(prefix: string, area: Area = "localStorage"): string[] {
  try {
    return Object.keys(globalThis[area]).filter((key) => key.startsWith(prefix));
  } catch {
    return [];
  }
}

/** The page's cookies; none if the browser allows no storage. */
export function readCookies(): string {
  try {
    return document.cookie;
  } catch {
    return "";
  }
}

/** The Cookie Store API is missing in some browsers, and without https. */
export function writeCookie(cookie: string): void {
  try {
    Object.assign(document, { cookie });
  } catch {
    // Not allowed.
  }
}
