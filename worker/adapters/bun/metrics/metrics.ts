import { createHash, timingSafeEqual } from "node:crypto";
import { apiHeaders } from "../../../lib/security-headers";
import type { Metrics } from "../../../ports/metrics";
import { createCounters } from "./counters";
import { createGauges, type Instance } from "./gauges";

export type OpenMetrics = {
  counters: Metrics;
  /** Answers `GET /metrics` for clients with the token. */
  respond(request: Request): Promise<Response>;
  stop(): void;
};

/** Starts counting. A scraper sends the token as `Authorization: Bearer …`. */
export function openMetrics(token: string, instance: Instance): OpenMetrics {
  const counters = createCounters();
  const gauges = createGauges(instance);
  const expected = digest(`Bearer ${token}`);
  return {
    counters,
    async respond(request) {
      const given = digest(request.headers.get("authorization") ?? "");
      const headers = new Headers(apiHeaders({ https: false }));
      if (!timingSafeEqual(given, expected)) {
        headers.set("WWW-Authenticate", "Bearer");
        return new Response("The token is not the one in METRICS_TOKEN\n", { status: 401, headers });
      }
      headers.set("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
      return new Response((await gauges.exposition()) + counters.exposition(), { headers });
    },
    stop: gauges.stop,
  };
}

/** Digests have the same length, so comparing them takes the same time for any token. */
const digest = (text: string) => createHash("sha256").update(text).digest();
