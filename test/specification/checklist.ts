/** Where a line of the list is held: both runtimes, one of them, Chromium, real processes, or the code itself. */
export type TestedOn = "both" | "bun" | "workers" | "browser" | "processes" | "code";

/** A test by its file under `test/` and its name. */
type Proof = readonly [file: string, name: string];

export type Line = { what: string; runtime: TestedOn; proofs: readonly Proof[] };

const line = (what: string, runtime: TestedOn, ...proofs: Proof[]): Line => ({ what, runtime, proofs });

/** What this very stack does wrong unless it is kept from it. */
export const TRAPS: readonly Line[] = [
  line(
    "a slow and honest upload is not cut, a trickler is, and one address does not hold every place",
    "bun",
    ["api/upload-body.test.ts", "a client that trickles is cut off although something always comes"],
    ["api/upload-slots.test.ts", "one address holds a hundred uploads at most; others still upload"],
    ["faults/faults.test.ts", "silent, half-sent, slow and broken-off connections take nothing from others"],
  ),
  line(
    "writers wait for each other, and a write that was refused leaves nothing open",
    "processes",
    ["faults/faults.test.ts", "while another process holds the database, reads go on, writes wait"],
    [
      "runtime/statement-cache.test.ts",
      "a statement that failed leaves nothing behind and can be used again",
    ],
    ["rules/dependencies.test.ts", "8: no interactive transaction, which D1 has not and which stalls libSQL"],
  ),
  line(
    "a file and its name are on the disk before its row and the answer",
    "bun",
    ["faults/write-order.test.ts", "a commit is told of only after fsync of the file, its new name"],
    ["contract/disk-file-store.test.ts", "a file that outgrows the disk fails as full, leaves no stump"],
  ),
  line("names in paths are looked up and never joined", "both", [
    "api/downloads.test.ts",
    "nobody but the owner finds a file, and no other path leads to it",
  ]),
  line("the Host header gives an origin no right", "both", [
    "api/cross-site.test.ts",
    "the request's own Host header gives an origin no right",
  ]),
  line(
    "malformed bodies are 4xx, whatever their fields, names and part headers",
    "both",
    ["api/multipart.test.ts", "%s: refused, and nothing is stored"],
    [
      "api/malformed-requests.test.ts",
      "deep nesting, huge numbers and strange keys are told as any other mistake",
    ],
    ["api/security-headers.test.ts", "an answer is never more than its status says"],
  ),
  line("any file name can be downloaded again or is refused", "both", [
    "api/downloads.test.ts",
    "a file called %j is kept as %j and given back under that name",
  ]),
  line("passwords are hashed with scrypt, which production Workers can do", "workers", [
    "runtime/workerd.test.ts",
    "a password hashed on the Worker is known under Bun",
  ]),
  line("nothing personal is cached by its URL", "both", [
    "api/security-headers.test.ts",
    "every answer carries them, errors and files included, and says which request it was",
  ]),
  line(
    "limits of bodies hold as Content-Length, in pieces, in sum and over several requests",
    "both",
    ["api/limits.test.ts", "a JSON body has at most 1 MiB, however it is sent"],
    ["api/upload-limits.test.ts", "a byte too many is refused, whether its length is told, comes in pieces"],
    [
      "api/upload-limits.test.ts",
      "each file of the largest size is taken, and no second request adds to them",
    ],
  ),
  line("the Worker stays small, and its calls few", "workers", [
    "runtime/deploy.test.ts",
    "the dry run needs no account, and the Worker stays below 1 MB compressed",
  ]),
  line("packages with known holes are above them", "code", [
    "rules/repository.test.ts",
    "packages with known holes are above them",
  ]),
  line("a GET never changes anything", "both", [
    "api/submissions.test.ts",
    "reading the link changes nothing, however often",
  ]),
  line("two missing values of a provider's state are not equal", "both", [
    "api/provider-sign-in.test.ts",
    "an answer that was not asked for in this browser signs nobody in",
  ]),
];

export const CHECKLIST: Record<string, readonly Line[]> = {
  access: [
    line(
      "every actor meets every route, and a route that nobody thought of fails the test",
      "both",
      ["api/access-matrix.test.ts", "every route of the app stands in the matrix, and nothing else does"],
      ["api/access-matrix.test.ts", "a recipient sees and answers the envelope of the own link and no other"],
    ),
    line(
      "ids inside bodies and queries count",
      "both",
      ["api/envelopes.test.ts", "another account's envelope, contact or workspace is not there"],
      ["api/workspaces.test.ts", "a workspace of somebody else, or of nobody, is not found by any path"],
    ),
    line("fields that nobody may choose have no effect", "both", [
      "api/envelopes.test.ts",
      "what the caller may not choose has no effect",
    ]),
  ],
  sessions: [
    line("a new token at each sign-in", "both", [
      "api/sessions.test.ts",
      "every sign-in has a token of its own, and the one before it on the same client ends",
    ]),
    line(
      "__Host-, Secure, HttpOnly, SameSite=Lax",
      "both",
      ["api/sessions.test.ts", "the cookie is Secure and cannot be set by another host"],
      ["api/sessions.test.ts", "the cookie is HttpOnly, SameSite=Lax, for every path and 30 days"],
    ),
    line("the cookie's value is not in the database", "both", [
      "api/sessions.test.ts",
      "the database keeps the hash of the token and nothing it could be made from",
    ]),
    line(
      "dead after sign-out, change and reset of the password, deletion of the account",
      "both",
      ["api/sign-in.test.ts", "signing out answers 204 and ends the session on the server"],
      ["api/sessions.test.ts", "changing the password ends every other session and keeps this one"],
      ["api/passwords.test.ts", "a mailed link sets a new password once and ends every session"],
      ["api/account-deletion.test.ts", "every row and every file of the account goes"],
    ),
    line(
      "idle and absolute limits",
      "both",
      ["api/sessions.test.ts", "a session slides: it ends 30 days after it was last renewed"],
      ["api/sessions.test.ts", "a session ends 180 days after the sign-in, however often it is used"],
    ),
    line(
      "a list of sessions, each of which can be ended, or all others",
      "both",
      ["api/sessions.test.ts", "an account sees where it is signed in, itself first and then the last used"],
      ["api/sessions.test.ts", "one of them is ended from another, or all others at once"],
    ),
  ],
  passwords: [
    line("long ones are taken whole, and nothing is asked of their composition", "both", [
      "api/limits.test.ts",
      "passwords have 6 to 200 characters, and each of them counts",
    ]),
    line(
      "an unknown account and a wrong password are the same in text, status and time",
      "both",
      ["api/sign-in.test.ts", "signing in answers with the user, and a wrong password as an unknown account"],
      ["api/sign-in-time.test.ts", "an unknown account takes as long as a wrong password"],
    ),
    line(
      "tries are limited for each account and each address",
      "both",
      [
        "api/rate-limits.test.ts",
        "the eleventh sign-in after ten failures is refused, whatever its password",
      ],
      ["api/rate-limits.test.ts", "after a hundred failed sign-ins one address is refused for every account"],
    ),
  ],
  tokens: [
    line("each kind is of no use in another's place", "both", [
      "api/access-matrix.test.ts",
      "tokens are of no use in each other's place",
    ]),
    line(
      "single use and expiry",
      "both",
      ["api/passwords.test.ts", "of two uses of one link at once only one counts"],
      ["api/passwords.test.ts", "a link works for an hour, and all links end with a change of the password"],
      ["api/envelope-expiry.test.ts", "a link works until the end of its day, UTC, and not a moment longer"],
      ["api/provider-sign-in.test.ts", "a code of another browser's cannot be redeemed"],
    ),
    line(
      "never in logs or in lists of others",
      "bun",
      ["runtime/log.test.ts", "the log tells what was done and refused, in lines that nothing can forge"],
      ["api/submissions.test.ts", "the link shows what is asked, by whom and until when, and nothing else"],
    ),
  ],
  browser: [
    line(
      "policies and headers on every answer, HSTS over https",
      "both",
      ["api/security-headers.test.ts", "every answer carries them, errors and files included"],
      ["runtime/bun-site.test.ts", "every answer carries the security headers, whatever its status"],
      ["runtime/bun-site.test.ts", "every inline script of a page is allowed by its hash"],
    ),
    line("HTTP Observatory A+", "both", [
      "api/observatory.test.ts",
      "the pages have an A+ of the HTTP Observatory, under Bun and as static assets",
    ]),
    line("no request to a third party", "code", [
      "rules/budgets.test.ts",
      "no page asks a third party for anything",
    ]),
    line("posts of other sites are refused, by content type, Origin and Sec-Fetch-Site", "both", [
      "api/cross-site.test.ts",
      "a change is refused whenever a browser says it comes from elsewhere",
    ]),
  ],
  "cached page": [
    line("nothing of an envelope is in it", "browser", [
      "e2e/submit-budget.test.ts",
      "the page holds nothing of an envelope, and its first step is in it before any script",
    ]),
    line(
      "noindex; errors are not kept",
      "bun",
      ["runtime/bun-site.test.ts", "pages of private links are kept out of search engines"],
      [
        "e2e/worker-site.test.ts",
        "hashed files are kept for good, and one that is gone is a 404 that is not",
      ],
    ),
  ],
  files: [
    line("extension and content agree, and each refusal names the document", "both", [
      "api/submission-refusals.test.ts",
      "%s is refused by name, and nothing is stored",
    ]),
    line(
      "polyglots run nothing",
      "both",
      [
        "api/upload-limits.test.ts",
        "a document that is a page as well is what its name says, and runs nothing",
      ],
      ["api/downloads.test.ts", "pages and pictures are shown in place, everything else is an attachment"],
      ["api/avatar.test.ts", "a picture is taken by its content, whatever its name"],
    ),
    line("hostile names round-trip or are refused", "both", [
      "api/downloads.test.ts",
      "a file called %j is kept as %j and given back under that name",
    ]),
    line("a virus is refused or removed", "both", [
      "api/scanning.test.ts",
      "a virus is refused with the document's name, nothing is stored",
    ]),
  ],
  "mail and SMS": [
    line("one recipient whatever is typed, and no header of anybody's making", "both", [
      "api/notifications.test.ts",
      "what is typed cannot become a header, an address or markup",
    ]),
    line("one RCPT at a real server", "bun", [
      "api/outbox-smtp.test.ts",
      "a mail arrives once, with one recipient, both parts and its own Message-ID",
    ]),
    line("a few mails an hour to one address", "both", [
      "api/rate-limits.test.ts",
      "an address is mailed at most five times an hour, and the answers do not tell",
    ]),
    line("links come from the configured origin", "both", [
      "api/notifications.test.ts",
      "links lead to the configured origin, whatever the Host header says",
    ]),
  ],
  limits: [
    line("every list, text, count and body has one", "both", [
      "api/limits.test.ts",
      "%s takes a %s of %d and no more",
    ]),
  ],
  logs: [
    line(
      "one line of JSON for each request and event, without secrets, that no input can forge",
      "bun",
      ["runtime/log.test.ts", "the log tells what was done and refused, in lines that nothing can forge"],
      ["contract/json-logger.test.ts", "no value can forge a line, or pass itself off as another event"],
    ),
  ],
  "malformed input": [
    line(
      "random requests and bodies meet no fault",
      "both",
      ["api/fuzz.test.ts", "requests over all routes none is answered with a fault"],
      ["api/fuzz.test.ts", "multipart bodies none is answered with a fault"],
    ),
  ],
};

export const FAULTS: readonly Line[] = [
  line(
    "kill -9 at any moment",
    "processes",
    ["faults/faults.test.ts", "a server that is killed at any moment has lost nothing it said yes to"],
    ["faults/faults.test.ts", "a server that is killed at a system call that writes has lost nothing"],
  ),
  line(
    "disk full, and failing",
    "processes",
    ["faults/faults.test.ts", "a disk that is full is told of, what is there is read, and work goes on"],
    ["faults/faults.test.ts", "a disk that fails at a sync, a new name or a write is told of"],
  ),
  line("the database held from outside", "processes", [
    "faults/faults.test.ts",
    "while another process holds the database, reads go on, writes wait",
  ]),
  line(
    "two servers",
    "processes",
    ["faults/faults.test.ts", "a server that is killed beside another on the same folder loses nothing"],
    ["system/two-servers.test.ts", "two servers that send from one outbox send nothing twice"],
    ["system/reminder-restarts.test.ts", "a reminder that is due goes out once, whatever the restarts"],
  ),
  line(
    "SMTP and SMS gateways closed, silent, slow, refusing, cut after DATA, 429",
    "processes",
    ["api/outbox-smtp.test.ts", "while the server is closed nothing is lost; once it is back all arrives"],
    ["api/outbox-smtp.test.ts", "a connection cut after DATA brings at most one duplicate"],
    ["api/outbox.test.ts", "after an outage all that waits goes within a minute of its end"],
    ["contract/twilio-sms-sender.test.ts", "a gateway that says when to come back is heard"],
  ),
  line(
    "R2 and S3 failing",
    "workers",
    ["runtime/r2-outage.test.ts", "while R2 fails, files are refused with a sentence, all else goes on"],
    ["contract/s3-file-store.test.ts", "a store that begins to fail half-way fails the writer"],
  ),
  line("an upload cut off on the Worker", "workers", [
    "runtime/workerd.test.ts",
    "an upload that is cut off leaves the envelope as it was and no object",
  ]),
  line("cron twice at once", "both", [
    "api/reminders.test.ts",
    "processes that look at the same moment, and one that dies half-way, make one reminder",
  ]),
  line(
    "clock jumps and month ends",
    "both",
    ["api/reminders.test.ts", "a clock that jumps brings one reminder at most, and none twice"],
    ["api/reminders.test.ts", "a month after the 31st is the last day of a shorter month"],
    ["api/expiry-notices.test.ts", "a clock that jumps a month ahead brings each notice once"],
  ),
  line("thousands of idle, half-sent, slow and aborted connections", "processes", [
    "faults/faults.test.ts",
    "silent, half-sent, slow and broken-off connections take nothing from others",
  ]),
  line("many submissions of one link at once", "both", [
    "api/submissions.test.ts",
    "of fifty submissions at once exactly one wins",
  ]),
];
