import { expect } from "bun:test";
import { createApp } from "../../worker/app";
import type { Dependencies } from "../../worker/dependencies";
import type { Answer, Api, Client } from "./api";
import { ENVELOPE } from "./envelopes";
import { concatBytes, multipart, type Part } from "./multipart";
import type { Random } from "./random";

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
  "name",
  "description",
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
  "allowedFileTypes",
  "required",
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

function value(random: Random, depth = 0): unknown {
  switch (random.below(depth > 3 ? 5 : 7)) {
    case 0:
      return null;
    case 1:
      return random.chance(0.5);
    case 2:
      return random.pick(NUMBERS);
    case 5:
      return Array.from({ length: random.below(4) }, () => value(random, depth + 1));
    case 6:
      return randomValue(random, depth + 1);
    default:
      return random.pick(TEXTS);
  }
}

function randomValue(random: Random, depth = 0): Record<string, unknown> {
  const entries = Array.from({ length: random.below(8) }, () => [random.pick(KEYS), value(random, depth)]);
  return Object.fromEntries(entries);
}

function body(random: Random): { type: string; content: string } {
  const type = random.chance(0.9)
    ? "application/json"
    : random.pick([
        "text/plain",
        "application/json; x",
        "",
        "multipart/form-data; boundary=b",
        "application/x-www-form-urlencoded",
      ]);
  const whole =
    JSON.stringify(
      random.chance(0.3)
        ? { ...ENVELOPE, ...randomValue(random) }
        : random.chance(0.9)
          ? randomValue(random)
          : value(random),
    ) ?? "";
  return { type, content: random.chance(0.1) ? whole.slice(0, random.below(whole.length + 1)) : whole };
}

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
  random: Random,
  requests: number,
): Promise<void> {
  for (let count = 0; count < requests; count++) {
    const { method, path: pattern } = random.pick(ROUTES);
    const ids = [...paths, "0", "-1", "x", "%00", "%zz", "..%2f", "9".repeat(30), "%F0%9F%92%A9", ""];
    const query = random.chance(0.3)
      ? `?${random.pick(["workspaceId", "limit", "cursor", "download", "state", "code", "%", ""])}=${encodeURIComponent(random.pick(TEXTS.filter((text) => text.isWellFormed())).slice(0, 500))}`
      : "";
    const path = pattern.replace(/:\w+/g, () => random.pick(ids)) + query;
    const { type, content } = body(random);
    const headers: Record<string, string> = random.chance(0.3)
      ? { [random.pick(HEADERS)]: random.pick(VALUES) }
      : {};
    const safe = method === "GET";
    const client = random.chance(0.8)
      ? Object.assign(api.anonymous(), { cookie: alice.cookie })
      : api.anonymous();
    const answer = await client.send(
      safe && random.chance(0.2) ? "HEAD" : method,
      path,
      safe ? undefined : content,
      safe ? headers : { ...headers, "content-type": type },
    );
    if (answer.text === "" && safe) expect(answer.status).toBeLessThan(500);
    else expectNoFault(answer, { method, path, type, content, headers });
    if (answer.status === 204 && path.startsWith("/api/logout") && client.cookie === "") {
      const again = await alice.post("/api/login", { email: alice.email, password: alice.password });
      expect(again.status).toBe(200);
    }
  }
}

/** A body from the multipart grammar, with mistakes anywhere. */
export function multipartBody(random: Random, files: Uint8Array[]) {
  const names = [
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
  const fileNames = [
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
  const heads = [
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
  const parts = Array.from(
    { length: random.below(5) },
    (): Part => ({
      name: random.pick(names),
      fileName: random.pick(fileNames),
      content: random.chance(0.5)
        ? random.pick(files)
        : random.pick(["", "x", "\r\n", "--", "\r\n--", "\r\n------edge", "\0".repeat(5000)]),
      ...(random.chance(0.2) && { headers: random.pick(heads) }),
    }),
  );
  const boundary = random.pick(["----edge", "b", "x".repeat(70), "a-", "'(x)+,"]);
  const closing = random.chance(0.7)
    ? undefined
    : random.pick([
        "",
        "--",
        `--${boundary}`,
        `--${boundary}-`,
        `--${boundary}--`,
        `--${boundary}--\r\n--${boundary}\r\n`,
      ]);
  const made = multipart(parts, { boundary, closing });
  let { bytes } = made;
  if (random.chance(0.2)) bytes = bytes.slice(0, random.below(bytes.length + 1));
  if (random.chance(0.2) && bytes.length > 0) bytes[random.below(bytes.length)] = random.below(256);
  if (random.chance(0.1)) bytes = concatBytes([new TextEncoder().encode("preamble\r\n"), bytes, bytes]);
  const type = random.chance(0.9)
    ? made.type
    : random.pick([
        "multipart/form-data",
        "multipart/form-data; boundary=",
        `multipart/form-data; boundary=${"x".repeat(252)}`,
        'multipart/form-data; boundary="',
        "multipart/form-data; boundary=other",
      ]);
  return { bytes, type, size: random.pick([1, 3, 17, 1000, 1_000_000]) };
}
