/** Counts what the app does, for whoever operates it. Absent where nobody asks for it. */
export interface Metrics {
  /** `route` is the route's pattern, never the path, which has no bound and may contain a token. */
  countRequest(method: string, route: string, status: number, seconds: number): void;
  /** A run of a scheduled job. */
  countJob(job: string, succeeded: boolean, seconds: number, endedAt: Date): void;
}
