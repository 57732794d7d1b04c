import type { D1Database, Fetcher, R2Bucket, RateLimit, SendEmail } from "@cloudflare/workers-types";

/** The bindings of wrangler.toml, besides variables and secrets. */
export type Bindings = {
  DB: D1Database;
  FILES: R2Bucket;
  /** The built web app. */
  ASSETS: Fetcher;
  /** Limits bursts of link reads from one address, across a whole data centre. */
  LINK_READS?: RateLimit;
  /** Present if the account can send mail itself. */
  MAIL?: SendEmail;
};
