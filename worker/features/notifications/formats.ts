import type { NotificationContext } from "../../../db/queries/notification-context";
import { longDay, messageLocale } from "../../contract/days";
import { scaleBytes } from "../../contract/files";
import type { Language } from "../../contract/options";
import { FIRST_WORKSPACE, TITLE_PREFIX } from "../../contract/product";
import { dayIn, timeZoneName, wallTime } from "../../contract/time-zones";
import type { MailText } from "./mail-texts";

type User = NonNullable<NotificationContext["user"]>;
type Envelope = NonNullable<NotificationContext["envelope"]>;

/** The day of a timestamp in the zone, written out in the language. */
export function longDayIn(timeZone: string | null, at: string, language: Language): string {
  return longDay(dayIn(timeZone, new Date(at)), language);
}

/** A timestamp in the zone, written out in the language with the zone's name. */
export function longTime(timeZone: string | null, at: string, language: Language): string {
  const time = new Intl.DateTimeFormat(messageLocale(language), {
    dateStyle: "long",
    timeStyle: "short",
    timeZone: "UTC",
  });
  const local = new Date(`${wallTime(timeZone, new Date(at)).replace(" ", "T")}Z`);
  return `${time.format(local)} (${zoneName(timeZone, language)})`;
}

/** "Central European Time" in the language. */
export function zoneName(timeZone: string | null, language: Language): string {
  return timeZoneName(timeZone, messageLocale(language));
}

/** "1.23 MB", as the screens write sizes. */
export function fileSize(bytes: number, { t }: { t: MailText }): string {
  const { value, unit } = scaleBytes(bytes);
  return t(`size.${unit}`, { value });
}

/** Direction marks, which could make a name read as another one. */
const DIRECTION_MARKS = /[\u061C\u202A-\u202E\u2066-\u2069\u200E\u200F]/g;

/** A name or subject on a single line. */
export function oneLine(text: string): string {
  return text
    .replace(DIRECTION_MARKS, "")
    .replace(/[\p{Cc}\u2028\u2029]+/gu, " ")
    .trim();
}

/** A text with line breaks but no other control characters. */
export function severalLines(text: string): string {
  return text
    .replace(DIRECTION_MARKS, "")
    .replace(/\r\n?|[\u2028\u2029]/g, "\n")
    .replace(/(?!\n)\p{Cc}+/gu, " ")
    .trim();
}

const NAME_LENGTH = 100;

/** What to call the requestor: the name, else the company, each cut at `max`; else the address, which stays whole. */
export function requestorName(
  user: Pick<User, "firstName" | "lastName" | "companyName" | "email">,
  max = NAME_LENGTH,
): string {
  const name = oneLine([user.firstName, user.lastName].filter(Boolean).join(" "));
  return (name || oneLine(user.companyName ?? "")).slice(0, max).trim() || user.email;
}

/** The same in what a stranger reads first, which a name could make a message of its own with a link: see `unlinked`. */
export function strangersName(user: Parameters<typeof requestorName>[0], max = NAME_LENGTH): string {
  const name = unlinked(requestorName(user, max), user.email);
  // One character may have become many.
  return name === user.email ? name : name.slice(0, max).trim();
}

/** A person among colleagues, who may have the same company: by name, otherwise by address. */
export const personName = (user: Pick<User, "firstName" | "lastName" | "email">): string =>
  requestorName({ ...user, companyName: null });

/** Name, company and address, so that a stranger can judge whether the mail is genuine. */
export function requestorLine(user: User): string {
  const company = oneLine(user.companyName ?? "");
  const name = requestorName(user);
  const parts = company && company !== name ? [name, company] : [name];
  return name === user.email ? name : `${parts.join(", ")} (${user.email})`;
}

/** The recipient's name, otherwise the address the envelope was sent to. */
export function recipientName(
  envelope: Pick<Envelope, "recipientName" | "title" | "customerEmail" | "recipientPhone">,
): string {
  const name = oneLine(envelope.recipientName ?? "") || oneLine(envelope.title.replace(TITLE_PREFIX, ""));
  return (name || envelope.customerEmail || envelope.recipientPhone || "").slice(0, NAME_LENGTH);
}

/** The name of a workspace, in the reader's language until it is renamed. */
export const workspaceName = (name: string | undefined, t: MailText): string =>
  name === FIRST_WORKSPACE ? t("firstWorkspace") : oneLine(name ?? "");

/** All but the joiners, which emojis and some scripts need. */
const INVISIBLE = /(?![\u200C\u200D])\p{Cf}/gu;
const DOT_OF_A_SITE = /(?<=[\p{L}\p{M}\p{N}\u200C\u200D])[.。](?=[\p{L}\p{M}\p{N}\u200C\u200D])/gu;
const LIKE_A_LINK = /@|\/\/|www\./i;

/** A name of which nothing becomes a link; one that looks like an address or a site is replaced. */
export function unlinked(name: string, instead: string): string {
  const text = name.normalize("NFKC").replace(INVISIBLE, "");
  return LIKE_A_LINK.test(text) ? instead : text.replace(DOT_OF_A_SITE, ". ");
}

/**
 * The display name of a sender, without what could terminate it and what looks like an address or a site: mail clients show
 * it instead of the real address. May be empty.
 */
export function senderName(text: string): string {
  return oneLine(text.normalize("NFKC"))
    .replace(/\S*@\S*/g, "")
    .replace(/[<>"\\,;:()[\]]/g, "")
    .replace(/\/{2,}/g, " ")
    .replace(INVISIBLE, "")
    .replace(DOT_OF_A_SITE, ". ")
    .replace(/\s+/g, " ")
    .trim();
}
