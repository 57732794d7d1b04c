import { StoreUnavailableError } from "../../../ports/file-store";

/** Reads the XML of S3's answers, and writes what S3 expects. */

/** The content of each element with this name. */
export const entries = (xml: string, name: string) =>
  [...xml.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, "gs"))].map(([, entry = ""]) => entry);

export const tag = (xml: string, name: string) => entries(xml, name)[0];

/** @throws StoreUnavailableError if it is missing */
export function requireTag(xml: string, name: string): string {
  const value = tag(xml, name);
  if (value === undefined) throw new StoreUnavailableError(`The file store's answer has no ${name}`);
  return value;
}

/** The code of an error. */
export const codeOf = (xml: string) => tag(xml, "Code") ?? "no code";
export const escapeXml = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
