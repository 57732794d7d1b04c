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
