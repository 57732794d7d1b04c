/** A time zone in which it is between nine and ten in the morning now, when reminders are sent. */
export function morningZone(now = new Date()): string {
  const ahead = ((9 - now.getUTCHours() + 24 + 12) % 24) - 12;
  // The names have the sign of POSIX: Etc/GMT-3 is three hours ahead of UTC.
  return ahead === 0 ? "UTC" : `Etc/GMT${ahead > 0 ? "-" : "+"}${Math.abs(ahead)}`;
}
