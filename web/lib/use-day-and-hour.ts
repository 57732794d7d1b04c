import { useTranslation } from "react-i18next";
import { regionalLocale } from "./format";
import { formatSending } from "./format-sending";
import { useFormat } from "./use-format";

/** "1 Dec, 09:00" */
export function useDayAndHour() {
  const { i18n } = useTranslation();
  const format = useFormat();
  return (day: string, hour: number) =>
    `${format.day(day)}, ${formatSending(day, hour, regionalLocale(i18n.language)).time}`;
}
