import * as fc from "fast-check";
import { createApp } from "../../../worker/app";
import { DOCUMENT_FIELDS } from "../../../worker/contract/documents";
import type { Dependencies } from "../../../worker/dependencies";
import type { Api, Client } from "../api/client";
import { ENVELOPE } from "../api/envelopes";
import { inHundred, mostly, type Runs, words } from "./arbitraries";
import { expectNoFault } from "./expect-no-fault";

const { routes } = createApp({} as Dependencies);
const ROUTES = routes.filter(({ method, path }) => method !== "ALL" && path !== "/api/user/account");

const TEXTS = [
  "",
  " ",
  "a",
  "Ada",
  "a@example.com",
  "a@b",
  "\0",
  "\ud800",
  "🎉",
  "../../etc/passwd",
  "'; --",
  "%00",
  "x".repeat(300),
  "x".repeat(20_000),
  "2026-04-01",
  "2026-02-31",
  "+15551234567",
  "0",
  "null",
  "\r\nX: y",
  "email",
  "sms",
  "daily",
  "\u202e",
];
const NUMBERS = [0, 1, -1, 2, 1.5, 1e15, 2 ** 53, 1e308, -0];
const KEYS = [
  ...words(`
    email password firstName lastName fields documents recipientName recipientEmail recipientPhone
    countryCode subject message isDraft expirationDate reminderFrequency notificationPreference
    contactId templateId workspaceId token newPassword currentPassword confirmPassword themePreference
    phoneNumber usageType __proto__ constructor id userId status
  `),
  ...DOCUMENT_FIELDS,
];
const HEADERS = words(`
  range if-none-match if-range accept-language cookie authorization content-encoding x-forwarded-host
  sec-fetch-site user-agent
`);
const VALUES = [
  "bytes=0-",
  "bytes=9-1",
  "*",
  "x",
  "session=x",
  "session=%zz",
  "gzip",
  "evil.example",
  "same-origin",
  "none",
  ",,,;;;",
  "=?utf-8?q?x?=",
  "x".repeat(4000),
];

type RandomRequest = {
  method: string;
  path: string;
  content: string | undefined;
  headers: Record<string, string>;
  signedIn: boolean;
};

const { value, object } = fc.letrec<{ value: unknown; object: Record<string, unknown> }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    { arbitrary: fc.constantFrom(...TEXTS), weight: 2 },
    fc.constant(null),
    fc.boolean(),
    fc.constantFrom(...NUMBERS),
    fc.array(tie("value"), { maxLength: 3 }),
    tie("object"),
  ),
  object: fc
    .array(fc.tuple(fc.constantFrom(...KEYS), tie("value")), { maxLength: 7 })
    .map((entries) => Object.fromEntries(entries)),
}));

/** An almost valid envelope. */
const envelope = fc
  .array(fc.tuple(fc.constantFrom(...KEYS), value), { maxLength: 2 })
  .map((changes) => ({ ...ENVELOPE, ...Object.fromEntries(changes) }));
const json = mostly(30, envelope, mostly(90, object, value)).map((body) => JSON.stringify(body) ?? "");
/** JSON, truncated in one of ten cases. */
const content = fc
  .tuple(json, mostly(90, fc.constant(1), fc.double({ min: 0, max: 1, noNaN: true })))
  .map(([text, share]) => text.slice(0, Math.floor(text.length * share)));
const contentType = mostly(
  90,
  fc.constant("application/json"),
  fc.constantFrom(
    "text/plain",
    "application/json; x",
    "",
    "multipart/form-data; boundary=b",
    "application/x-www-form-urlencoded",
  ),
);
const query = mostly(
  70,
  fc.constant(""),
  fc
    .tuple(
      fc.constantFrom("workspaceId", "limit", "cursor", "download", "state", "code", "%", ""),
      fc.constantFrom(...TEXTS.filter((text) => text.isWellFormed())),
    )
    .map(([name, text]) => `?${name}=${encodeURIComponent(text).slice(0, 500)}`),
);
const header = mostly(
  70,
  fc.constant({}),
  fc.tuple(fc.constantFrom(...HEADERS), fc.constantFrom(...VALUES)).map(([name, text]) => ({ [name]: text })),
);

/** A request to any route, with these ids and some that cannot exist. */
const requestWith = (known: string[]): fc.Arbitrary<RandomRequest> =>
  fc
    .record({
      route: fc.constantFrom(...ROUTES),
      ids: fc.array(
        fc.constantFrom(
          ...known,
          ...["0", "-1", "x", "%00", "%zz", "..%2f", "9".repeat(30), "%F0%9F%92%A9", ""],
        ),
        { minLength: 3, maxLength: 3 },
      ),
      query,
      content,
      contentType,
      header,
      head: inHundred(20),
      signedIn: inHundred(80),
    })
    .map(({ route, ids, query, content, contentType, header, head, signedIn }) => {
      const rest = [...ids];
      const path = route.path.replace(/:\w+/g, () => rest.pop() ?? "x") + query;
      if (route.method === "GET")
        return { method: head ? "HEAD" : "GET", path, content: undefined, headers: header, signedIn };
      const headers = { ...header, "content-type": contentType };
      return { method: route.method, path, content, headers, signedIn };
    });

type Known = { alice: Client & { email: string; password: string }; paths: string[] };

/** Sends random requests over all routes. @throws Error if one is answered with a fault */
export async function sendRandomRequests(
  api: Pick<Api, "anonymous">,
  { alice, paths }: Known,
  runs: Runs,
): Promise<void> {
  const send = async (request: RandomRequest) => {
    const { method, path, content, headers, signedIn } = request;
    const client = Object.assign(api.anonymous(), signedIn && { cookie: alice.cookie });
    const response = await client.send(method, path, content, headers);
    if (response.text !== "" || content !== undefined || response.status >= 500)
      expectNoFault(response, request);
    if (response.status === 204 && path.startsWith("/api/logout") && client.cookie === "")
      expectNoFault(
        await alice.post("/api/login", { email: alice.email, password: alice.password }),
        "signing in",
      );
  };
  await fc.assert(fc.asyncProperty(requestWith(paths), send), runs);
}
