/** Today where the day of a link ends: in UTC. */
export function today(now = new Date()): string {
  return now.toISOString().slice(0, 10);
}
