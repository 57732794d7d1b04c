/** Counts what the app does. Absent if metrics are disabled. */
export interface Metrics {
  /** `route` is the route's pattern, never the path, which is unbounded and may contain a token. */
  countRequest(method: string, route: string, status: number, seconds: number): void;
  /** A run of a scheduled job. */
  countJob(job: string, succeeded: boolean, seconds: number, endedAt: Date): void;
}
