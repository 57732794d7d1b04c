import * as fc from "fast-check";
import { createApp } from "../../worker/app";
import { DOCUMENT_FIELDS } from "../../worker/contract/documents";
import type { Dependencies } from "../../worker/dependencies";
import type { Answer, Api, Client } from "./api";
import { ENVELOPE } from "./envelopes";
import { concatBytes, multipart, type Part, trickle } from "./multipart";

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
  "email",
  "password",
  "firstName",
  "lastName",
  "fields",
  "documents",
  "recipientName",
  "recipientEmail",
  "recipientPhone",
  "countryCode",
  "subject",
  "message",
  "isDraft",
  "expirationDate",
  "reminderFrequency",
  "notificationPreference",
  "contactId",
  "templateId",
  "workspaceId",
  "token",
  "newPassword",
  "currentPassword",
  "confirmPassword",
  "themePreference",
  "phoneNumber",
  "usageType",
  ...DOCUMENT_FIELDS,
  "__proto__",
  "constructor",
  "id",
  "userId",
  "status",
];
const HEADERS = [
  "range",
  "if-none-match",
  "if-range",
  "accept-language",
  "cookie",
  "authorization",
  "content-encoding",
  "x-forwarded-host",
  "sec-fetch-site",
  "user-agent",
];
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

/**
 * The number of requests and the seed: the same seed generates the same requests. A failure is reduced to the smallest
 * one.
 */
export type Runs = { seed: number; numRuns: number };

type RandomRequest = {
  method: string;
  path: string;
  content: string | undefined;
  headers: Record<string, string>;
  signedIn: boolean;
};

/** True in this percentage of cases. */
const inHundred = (share: number) => fc.integer({ min: 0, max: 99 }).map((number) => number < share);
/** One value or the other; the first in this percentage of cases. */
const mostly = <A, B>(share: number, usual: fc.Arbitrary<A>, other: fc.Arbitrary<B>) =>
  fc.oneof({ arbitrary: usual, weight: share }, { arbitrary: other, weight: 100 - share });

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

/** @throws Error for a 5xx, or an error without a message */
export function expectNoFault(answer: Answer, what: unknown) {
  const known = answer.status < 500 && (answer.status < 400 || (answer.body?.message && answer.body?.code));
  if (!known)
    throw new Error(
      `${answer.status} ${answer.text.slice(0, 200)} for ${JSON.stringify(what).slice(0, 1000)}`,
    );
}

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
    const answer = await client.send(method, path, content, headers);
    if (answer.text !== "" || content !== undefined || answer.status >= 500) expectNoFault(answer, request);
    if (answer.status === 204 && path.startsWith("/api/logout") && client.cookie === "")
      expectNoFault(
        await alice.post("/api/login", { email: alice.email, password: alice.password }),
        "signing in",
      );
  };
  await fc.assert(fc.asyncProperty(requestWith(paths), send), runs);
}

const PART_NAMES = [
  "Contract",
  "Photo",
  "contract",
  "",
  "é",
  "a%22b",
  "x".repeat(500),
  '"; filename="x.pdf',
  "\r\nX: y",
  "\0",
];
const FILE_NAMES = [
  "a.pdf",
  "a.png",
  "a",
  ".pdf",
  "..",
  "../a.pdf",
  "a.pdf%00",
  "🎉.pdf",
  "\u202e.pdf",
  "x".repeat(3000),
  "a.PDF",
  undefined,
];
const PART_HEADERS = [
  "",
  "\r\n",
  "Content-Disposition\r\n\r\n",
  "Content-Disposition: form-data\r\n\r\n",
  ": x\r\n\r\n",
  `X: ${"y".repeat(20_000)}\r\n\r\n`,
  "Content-Disposition: form-data; name=Contract; filename*=UTF-8''%zz\r\n\r\n",
  "Content-Disposition: form-data; name=Contract; filename=a.pdf\r\nContent-Type: multipart/mixed; boundary=----edge\r\n\r\n",
  'Content-Disposition: form-data; name="Contract"; filename="a.pdf"\r\nContent-Disposition: form-data; name="Photo"\r\n\r\n',
];
const CONTENTS = ["", "x", "\r\n", "--", "\r\n--", "\r\n------edge", "\0".repeat(5000)];

/** A part according to the multipart grammar, with mistakes anywhere. */
const partWith = (files: Uint8Array[]): fc.Arbitrary<Part> =>
  fc
    .record({
      name: fc.constantFrom(...PART_NAMES),
      fileName: fc.constantFrom(...FILE_NAMES),
      content: mostly(50, fc.constantFrom(...files), fc.constantFrom(...CONTENTS)),
      headers: mostly(80, fc.constant(undefined), fc.constantFrom(...PART_HEADERS)),
    })
    .map(({ headers, ...part }) => ({ ...part, ...(headers !== undefined && { headers }) }));

const boundaryAndClosing = fc
  .constantFrom("----edge", "b", "x".repeat(70), "a-", "'(x)+,")
  .chain((boundary) =>
    fc.record({
      boundary: fc.constant(boundary),
      closing: mostly(
        70,
        fc.constant(undefined),
        fc.constantFrom(
          "",
          "--",
          `--${boundary}`,
          `--${boundary}-`,
          `--${boundary}--`,
          `--${boundary}--\r\n--${boundary}\r\n`,
        ),
      ),
    }),
  );
const position = fc.double({ min: 0, max: 1, noNaN: true });
/** What is wrong with the body as a whole. */
const damage = fc.record({
  keep: mostly(80, fc.constant(1), position),
  change: mostly(
    80,
    fc.constant(undefined),
    fc.record({ at: position, byte: fc.integer({ min: 0, max: 255 }) }),
  ),
  twice: inHundred(10),
  type: mostly(
    90,
    fc.constant(undefined),
    fc.constantFrom(
      "multipart/form-data",
      "multipart/form-data; boundary=",
      `multipart/form-data; boundary=${"x".repeat(252)}`,
      'multipart/form-data; boundary="',
      "multipart/form-data; boundary=other",
    ),
  ),
});

type RandomBody = { parts: Part[]; boundaryAndClosing: { boundary: string; closing: string | undefined } } & {
  damage: {
    keep: number;
    change: { at: number; byte: number } | undefined;
    twice: boolean;
    type: string | undefined;
  };
};

function encode({ parts, boundaryAndClosing, damage: { keep, change, twice, type } }: RandomBody) {
  const made = multipart(parts, boundaryAndClosing);
  let bytes = made.bytes.slice(0, Math.floor(made.bytes.length * keep));
  if (change && bytes.length > 0) bytes[Math.floor(change.at * (bytes.length - 1))] = change.byte;
  if (twice) bytes = concatBytes([new TextEncoder().encode("preamble\r\n"), bytes, bytes]);
  return { bytes, type: type ?? made.type };
}

/** The requested documents: a contract and a photo. */
const partsOf = ([contract, photo]: Uint8Array[]): Part[] => [
  { name: "Contract", fileName: "a.pdf", content: contract ?? "" },
  { name: "Photo", fileName: "a.png", content: photo ?? "" },
];

/**
 * Sends random multipart bodies to the upload of an avatar and to links that ask for a contract and a photo.
 * @throws Error if one is answered with a fault
 */
export async function sendRandomBodies(
  alice: Client,
  { files, openLink }: { files: Uint8Array[]; openLink: () => Promise<string> },
  runs: Runs,
): Promise<void> {
  let link = await openLink();
  const body = fc.record({
    // Most bodies are valid except for their damage.
    parts: mostly(60, fc.constant(partsOf(files)), fc.array(partWith(files), { maxLength: 4 })),
    boundaryAndClosing,
    damage,
    avatar: inHundred(20),
    pieces: mostly(50, fc.constant(undefined), fc.constantFrom(1, 3, 17, 1000, 1_000_000)),
  });
  const send = fc.asyncProperty(body, async ({ avatar, pieces, ...parts }) => {
    const { bytes, type } = encode(parts);
    const content = pieces !== undefined && bytes.length < 5000 ? trickle(bytes, pieces) : bytes;
    const path = avatar ? "/api/user/avatar" : link;
    const answer = await alice.send("POST", path, content, { "content-type": type });
    expectNoFault(answer, { bytes: bytes.toBase64(), type, pieces });
    if (answer.status === 201) link = await openLink();
  });
  await fc.assert(send, runs);
}
