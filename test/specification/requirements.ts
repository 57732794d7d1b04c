/**
 * Where a requirement is tested: on both runtimes, on one of them, in Chromium, with real processes, or in the source
 * code.
 */
export type TestedOn = "both" | "bun" | "workers" | "browser" | "processes" | "code";

export type Requirement = readonly [what: string, on: TestedOn, ...files: [string, ...string[]]];

/** The test files under `test/` for each requirement. Their test titles have the details. */
export const REQUIREMENTS: Record<string, readonly Requirement[]> = {
  "pitfalls of this stack": [
    [
      "a slow honest upload is not cut off, a trickling one is, and one address cannot take every slot",
      "bun",
      "api/upload-body.test.ts",
      "api/upload-slots.test.ts",
      "faults/faults.test.ts",
    ],
    [
      "writers wait for each other, and a failed write leaves nothing open",
      "processes",
      "faults/faults.test.ts",
      "runtime/statement-cache.test.ts",
      "rules/dependencies.test.ts",
    ],
    [
      "a file and its name are on disk before its row and the response",
      "bun",
      "faults/write-order.test.ts",
      "contract/disk-file-store.test.ts",
    ],
    ["names in paths are looked up and never joined", "both", "api/downloads.test.ts"],
    ["the Host header gives an origin no rights", "both", "api/cross-site.test.ts"],
    [
      "malformed bodies are answered with 4xx",
      "both",
      "api/multipart.test.ts",
      "api/malformed-requests.test.ts",
      "api/security-headers.test.ts",
    ],
    ["any file name can be downloaded again or is rejected", "both", "api/downloads.test.ts"],
    [
      "passwords are hashed with scrypt, which production Workers support",
      "workers",
      "system/workerd.test.ts",
    ],
    ["nothing personal is cached by its URL", "both", "api/security-headers.test.ts"],
    [
      "body limits hold for Content-Length, chunked bodies, totals and several requests",
      "both",
      "api/limits.test.ts",
      "api/upload-limits.test.ts",
    ],
    [
      "the Worker stays small and makes few subrequests",
      "workers",
      "system/deploy.test.ts",
      "runtime/round-trips.test.ts",
    ],
    ["packages with known vulnerabilities are newer than those", "code", "rules/repository.test.ts"],
    ["a GET never changes anything", "both", "api/submissions.test.ts"],
    ["two missing values of a provider's state are not equal", "both", "api/provider-sign-in.test.ts"],
  ],
  access: [
    [
      "every actor is tried on every route, and a new route fails the test until it is listed",
      "both",
      "api/access-matrix.test.ts",
    ],
    [
      "ids inside bodies and queries are checked too",
      "both",
      "api/envelopes.test.ts",
      "api/workspaces.test.ts",
    ],
    ["fields that a caller may not set have no effect", "both", "api/envelopes.test.ts"],
  ],
  sessions: [
    ["each sign-in gets a new token", "both", "api/sessions.test.ts"],
    ["cookies are __Host-, Secure, HttpOnly and SameSite=Lax", "both", "api/sessions.test.ts"],
    ["the cookie's value is not in the database", "both", "api/sessions.test.ts"],
    [
      "sessions end on sign-out, password change, password reset and account deletion",
      "both",
      "api/sign-in.test.ts",
      "api/sessions.test.ts",
      "api/passwords.test.ts",
      "api/account-deletion.test.ts",
    ],
    ["sessions have an idle and an absolute limit", "both", "api/sessions.test.ts"],
    ["sessions are listed and can be ended one by one or all others at once", "both", "api/sessions.test.ts"],
  ],
  passwords: [
    ["long passwords are not truncated, and no composition is required", "both", "api/limits.test.ts"],
    [
      "an unknown account and a wrong password are the same in text, status and time",
      "both",
      "api/sign-in.test.ts",
      "api/sign-in-time.test.ts",
    ],
    ["attempts are limited per account and per address", "both", "api/rate-limits.test.ts"],
  ],
  tokens: [
    ["a token of one kind does not work as another", "both", "api/access-matrix.test.ts"],
    [
      "tokens are single-use and expire",
      "both",
      "api/passwords.test.ts",
      "api/envelope-expiry.test.ts",
      "api/provider-sign-in.test.ts",
    ],
    [
      "tokens are never in logs or in other people's lists",
      "bun",
      "system/log.test.ts",
      "api/submissions.test.ts",
    ],
  ],
  browser: [
    [
      "every response has policies and headers, and HSTS over https",
      "both",
      "api/security-headers.test.ts",
      "runtime/bun-site.test.ts",
    ],
    ["pages have the headers that the HTTP Observatory rates A+", "both", "api/observatory.test.ts"],
    ["no page makes a third-party request", "code", "rules/budgets.test.ts"],
    [
      "cross-site posts are rejected by content type, Origin and Sec-Fetch-Site",
      "both",
      "api/cross-site.test.ts",
    ],
  ],
  "cached page": [
    ["it contains nothing of an envelope", "browser", "e2e/submit-budget.test.ts"],
    [
      "it is noindex, and errors are not cached",
      "bun",
      "runtime/bun-site.test.ts",
      "e2e/worker-site.test.ts",
    ],
  ],
  files: [
    [
      "extension and content agree, and each rejection names the document",
      "both",
      "api/submission-rejections.test.ts",
    ],
    [
      "polyglots execute nothing",
      "both",
      "api/upload-limits.test.ts",
      "api/downloads.test.ts",
      "api/avatar.test.ts",
    ],
    ["hostile names round-trip or are rejected", "both", "api/downloads.test.ts"],
    ["a virus is rejected or deleted", "both", "api/scanning.test.ts"],
  ],
  "mail and SMS": [
    ["one recipient whatever is typed, and no injected header", "both", "api/notifications.test.ts"],
    ["one RCPT at a real server", "bun", "api/outbox-smtp.test.ts"],
    ["a few mails an hour to one address", "both", "api/rate-limits.test.ts"],
    ["links use the configured origin", "both", "api/notifications.test.ts"],
  ],
  limits: [["every list, text, count and body has a limit", "both", "api/limits.test.ts"]],
  logs: [
    [
      "one line of JSON per request and event, without secrets, that no input can forge",
      "bun",
      "system/log.test.ts",
      "contract/json-logger.test.ts",
    ],
  ],
  "malformed input": [["random requests and bodies cause no 5xx", "both", "api/fuzz.test.ts"]],
  faults: [
    ["kill -9 at any moment", "processes", "faults/leases.test.ts"],
    ["disk full, and failing", "processes", "faults/faults.test.ts"],
    ["the database locked by another process", "processes", "faults/faults.test.ts"],
    [
      "two servers",
      "processes",
      "faults/faults.test.ts",
      "faults/leases.test.ts",
      "system/two-servers.test.ts",
      "system/reminder-restarts.test.ts",
    ],
    [
      "SMTP and SMS gateways closed, silent, slow, rejecting, cut after DATA, 429",
      "processes",
      "api/outbox-smtp.test.ts",
      "api/outbox.test.ts",
      "contract/twilio-sms-sender.test.ts",
    ],
    ["R2 and S3 failing", "workers", "runtime/r2-outage.test.ts", "contract/s3-file-store.test.ts"],
    ["an upload aborted on the Worker", "workers", "system/workerd.test.ts"],
    ["cron twice at once", "both", "api/reminders.test.ts"],
    ["clock jumps and month ends", "both", "api/reminders.test.ts", "api/expiry-notices.test.ts"],
    ["thousands of idle, half-sent, slow and aborted connections", "processes", "faults/faults.test.ts"],
    ["many submissions of one link at once", "both", "api/submissions.test.ts"],
  ],
};
