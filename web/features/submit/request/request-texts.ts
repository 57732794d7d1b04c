import { DEFAULT_DESCRIPTION, TITLE_PREFIX } from "../../../../worker/contract/product";
import { foreignZoneName } from "../../../lib/time-zone";
import type { useTexts } from "../translation/use-texts";
import type { RecipientRequest } from "./submission-api";

type Title = Pick<RecipientRequest, "title" | "subject">;
type Translate = ReturnType<typeof useTexts>["t"];

/** What the request is called: its subject, else its title. */
export const requestTitle = (request: Title, t: Translate): string =>
  request.subject?.trim() || storedTitle(request, t);

/** The title, which is stored in English, in the recipient's language. */
export function storedTitle({ title }: Pick<Title, "title">, t: Translate): string {
  return title.startsWith(TITLE_PREFIX)
    ? t("requestTitle", { name: title.slice(TITLE_PREFIX.length) })
    : title;
}

/** The description in the recipient's language, where it is the one that is stored without a message. */
export const storedDescription = ({ description }: Pick<RecipientRequest, "description">, t: Translate) =>
  description === DEFAULT_DESCRIPTION ? t("requestDescription") : description;

type LastDay = { date: string; expiresAt: string | null; timeZone: string | null };

/** The last day of the link, and its time zone where the recipient's device has another one. */
export function lastDay({ t, day, language }: ReturnType<typeof useTexts>, link: LastDay): string {
  const zone = link.expiresAt ? foreignZoneName(link, language) : null;
  return zone ? t("dateInZone", { date: day(link.date), zone }) : day(link.date);
}
