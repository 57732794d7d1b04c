import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { scaleBytes } from "../../worker/contract/files";
import {
  formatDate,
  formatDateTime,
  formatDay,
  formatFull,
  formatHour,
  formatNumber,
  formatPercent,
  formatRelative,
  isJustNow,
  isWithinWeek,
  megabytes,
  regionalLocale,
} from "./format";
import { foreignZoneName } from "./time-zone";

/** 0.01 MB, in bytes. */
const SMALLEST_MB = 0.01 * 1024 * 1024;

/** Dates, numbers and sizes in the chosen language. */
export function useFormat() {
  const { t, i18n } = useTranslation();
  const locale = regionalLocale(i18n.language);
  return useMemo(() => {
    const relative = (iso: string, style?: "short") =>
      isJustNow(iso) ? t("justNow") : formatRelative(iso, locale, Date.now(), style);
    return {
      date: (iso: string) => formatDate(iso, locale),
      dateTime: (iso: string) => formatDateTime(iso, locale),
      /** Of a time of which only the hour is recorded. */
      hour: (iso: string) => formatHour(iso, locale),
      exactly: (iso: string) => formatFull(iso, locale),
      day: (day: string) => formatDay(day, locale),
      /** The last day of a link: "3 Dec", and its time zone where this device has another one. */
      lastDay: (link: { expirationDate: string; expiresAt: string | null; timeZone: string | null }) => {
        const date = formatDay(link.expirationDate, locale);
        const zone = foreignZoneName(link, locale);
        return zone ? t("dateInZone", { date, zone }) : date;
      },
      relative,
      /** `relative` within a sentence: "on 3 Dec 2026". */
      when: (iso: string) =>
        isWithinWeek(iso) ? relative(iso) : t("onDate", { date: formatDate(iso, locale) }),
      percent: (value: number) => formatPercent(value, locale),
      number: (value: number) => formatNumber(value, locale),
      /** "1.5 KB" */
      size: (bytes: number) => {
        const { value, unit } = scaleBytes(bytes);
        return t(`size.${unit}`, { value: formatNumber(value, locale) });
      },
      /** "0.02 MB", and at least "0.01 MB" for a file that is not empty. */
      megabytes: (bytes: number) =>
        t("size.mb", { value: megabytes(bytes && Math.max(bytes, SMALLEST_MB), locale) }),
    };
  }, [t, locale]);
}

type Entry = { kind: string };

/** "2 documents · 3 questions" */
export function useEntryCount() {
  const { t } = useTranslation();
  const count = (documents: number, questions: number) =>
    [
      documents > 0 && t("entries.documents", { count: documents }),
      questions > 0 && t("entries.questions", { count: questions }),
    ]
      .filter(Boolean)
      .join(" · ");
  return {
    count,
    countOf(entries: readonly Entry[]) {
      const documents = entries.filter(({ kind }) => kind === "file").length;
      return count(documents, entries.length - documents);
    },
  };
}
