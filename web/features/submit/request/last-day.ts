import { foreignZoneName } from "../../../lib/time-zone";
import type { useTexts } from "../translation/use-texts";

type LastDay = { date: string; expiresAt: string | null; timeZone: string | null };

/** The last day of the link, and its time zone where the recipient's device has another one. */
export function lastDay({ t, day, language }: ReturnType<typeof useTexts>, link: LastDay): string {
  const zone = link.expiresAt ? foreignZoneName(link, language) : null;
  return zone ? t("dateInZone", { date: day(link.date), zone }) : day(link.date);
}
