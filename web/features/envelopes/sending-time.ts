import { useTranslation } from "react-i18next";
import { regionalLocale } from "../../lib/format";
import type { Envelope } from "./envelope";

/** "1 December" and "09:00": a day and an hour of it, the same in every time zone. */
export function formatSending(day: string, hour: number, locale: string, today = new Date()) {
  const time = new Date(`${day}T${String(hour).padStart(2, "0")}:00:00Z`);
  const { hour12 } = new Intl.DateTimeFormat(locale, { hour: "numeric" }).resolvedOptions();
  const date: Intl.DateTimeFormatOptions = { day: "numeric", month: "long", timeZone: "UTC" };
  if (time.getUTCFullYear() !== today.getFullYear()) date.year = "numeric";
  const clock = { hour: hour12 ? "numeric" : "2-digit", minute: "2-digit", timeZone: "UTC" } as const;
  return {
    date: time.toLocaleDateString(locale, date),
    time: time.toLocaleTimeString(locale, clock),
  };
}

/** "Will be sent on 1 December at 09:00"; undefined unless the envelope is scheduled. */
export function useSendingText() {
  // What waits for texts in an open dialog would take its focus.
  const { t, i18n } = useTranslation("schedules", { useSuspense: false });
  return ({ status, sendOn, sendHour }: Pick<Envelope, "status" | "sendOn" | "sendHour">) =>
    status === "scheduled" && sendOn
      ? t("send.willBe", formatSending(sendOn, sendHour ?? 0, regionalLocale(i18n.language)))
      : undefined;
}
