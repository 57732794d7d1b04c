import type { D1Database, Fetcher, R2Bucket, RateLimit, SendEmail } from "@cloudflare/workers-types";

/** What wrangler.toml binds, beside the variables and secrets of the configuration. */
export type Bindings = {
  DB: D1Database;
  FILES: R2Bucket;
  /** The built web app. */
  ASSETS: Fetcher;
  /** Cuts off an address that reads links in a burst, wherever in a data centre its requests land. */
  LINK_READS?: RateLimit;
  /** Where the account can send mail itself. */
  MAIL?: SendEmail;
};
