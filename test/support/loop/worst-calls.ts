import { LIMITS } from "../../../worker/contract/limits";

/** What the calls name, see `world.ts`. */
export type World = {
  userId: number;
  workspaceId: number;
  contactId: number;
  templateId: number;
  /** With as many and as long documents as possible: a draft, one that is sent, and one with submitted files. */
  draft: number;
  sent: { id: number; token: string };
  submitted: { id: number; documents: number[] };
  /** Of some with files. */
  archived: number[];
  /** A link with questions for numbers. */
  asked: { token: string; documents: number[] };
  /** Asked all of `QUESTIONS`. */
  questioned: { token: string; first: number };
  /** Of some with answers, each to other questions. */
  answered: number[];
  bulkId: number;
  /** With as many recipients as possible. */
  seriesId: number;
  webhookId: number;
};

/** `status` is 2xx unless given. */
export type Call = { path: string; body?: string; status?: number };
type Calls = (world: World) => Call[];

const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));

const json = (value: unknown) => JSON.stringify(value);
const reads =
  (...paths: ((world: World) => string)[]): Calls =>
  (world) =>
    paths.map((path) => ({ path: path(world) }));
type Body = (world: World) => unknown;
/** Bodies; with a status those that are refused after all that they cost. */
const sends =
  (path: (world: World) => string, ...bodies: (Body | readonly [status: number, body: Body])[]): Calls =>
  (world) =>
    bodies.map((each) => {
      const [status, body] = typeof each === "function" ? [undefined, each] : each;
      return { path: path(world), body: json(body(world)), ...(status !== undefined && { status }) };
    });

/** Of a body of at most 1 MiB, as many and as long texts as fit. */
const documents = (description: string, types = 0) =>
  times(LIMITS.documentsPerEnvelope, (index) => ({
    name: `${index} ${"n".repeat(190)}`,
    description,
    required: true,
    allowedFileTypes: times(types, (type) => `.t${type}`),
  }));
const LONG = "d".repeat(9500);
const HOLES = "{lastName} {a} ".repeat(600);
const envelope = (more: object = {}) => ({
  recipientName: `${"R".repeat(LIMITS.name - 2)} R`,
  recipientEmail: "r@example.com",
  subject: "s".repeat(LIMITS.subject),
  message: HOLES,
  documents: documents(LONG),
  ...more,
});
const people = (count: number, values?: object) =>
  times(count, (index) => ({
    recipientName: `Person ${index}`,
    recipientEmail: `p${index}@example.com`,
    ...(values && { values }),
  }));
const bulk = (description: string, values?: object, count: number = LIMITS.recipientsPerBulkSend) => ({
  envelope: { subject: "x", message: "m", documents: documents(description) },
  recipients: people(count, values),
});
const series = (description: string, values?: object, count?: number) => ({
  ...bulk(description, values, count),
  ...{ name: "s", every: 1, unit: "month", startOn: "2026-05-01" },
});
const contacts = (notes: string) =>
  times(LIMITS.contactsPerImport, (index) => ({
    firstName: `Person ${index}`,
    email: `p${index}@example.com`,
    phone: `+1555${1_000_000 + index}`,
    notes,
  }));

/** With as many options and conditions as possible, as long as they fit into a call. */
export const QUESTIONS = times(LIMITS.documentsPerEnvelope, (index) => {
  const options = times(50, (option) => `${option} `.padEnd(50, "ä"));
  const showIf = index > 0 ? { name: `Question ${index - 1}`, is: options } : null;
  return {
    name: `Question ${index}`,
    kind: index % 2 ? "choices" : "choice",
    options,
    required: false,
    showIf,
  };
});

/** As long as an answer may be before it is read, and no number. */
const ZEROS = `${"0".repeat(39_999)}x`;

/** Matches each of the hostile envelopes, or nothing after reading all of them. */
const SEARCHES = [
  "\u0301".repeat(200),
  "a",
  "aa",
  "a ".repeat(100),
  "a".repeat(200),
  `${"a".repeat(150)}b`,
  times(8, (index) => "a".repeat(20 + index)).join(" "),
  "\u00a8 \u1e9e ".repeat(40),
  times(8, (index) => "ae".repeat(8 + index)).join(" "),
];

/** Only a row's id, a link's token or a few short texts, whose statements find one row or a bounded page. */
const SHORT = "takes nothing but ids, tokens and short texts";
const FILES = "streams files: see the rows of uploads and chunks in test/bench";
const PROVIDER = "waits for a provider or a server elsewhere, which is not configured here";
const DELIVERIES = "has a test of its own, with a hundred thousand files";
const ENVELOPES = "has a test of its own, with a hundred thousand envelopes";
const FIXED = "returns a fixed document";

/** The worst allowed input of each route, or why it has none. Those that take JSON get `MALFORMED` too. */
export const WORST_CALLS: Record<string, Calls | string> = {
  "GET /api/health": FIXED,
  "GET /api/live": FIXED,
  "GET /api/ready": FIXED,
  "GET /api/openapi.json": reads(() => "/api/openapi.json"),
  "GET /api/docs": FIXED,
  "GET /api/docs/style.css": FIXED,
  "GET /api/session": reads(() => "/api/session"),
  "POST /api/register": SHORT,
  "POST /api/invitations/request": SHORT,
  "POST /api/invitations/read": SHORT,
  "POST /api/invitations/join": SHORT,
  "POST /api/invitations/accept": SHORT,
  "POST /api/login": SHORT,
  "POST /api/login/second-factor": SHORT,
  "POST /api/login/link": SHORT,
  "POST /api/login/passkey/options": SHORT,
  "POST /api/login/passkey": SHORT,
  "POST /api/logout": SHORT,
  "POST /api/password/forgot": SHORT,
  "POST /api/password/reset": SHORT,
  "GET /api/passkeys": reads(() => "/api/passkeys"),
  "POST /api/passkeys/options": sends(
    () => "/api/passkeys/options",
    () => ({}),
  ),
  "POST /api/passkeys": SHORT,
  "PATCH /api/passkeys/:id": SHORT,
  "DELETE /api/passkeys/:id": SHORT,
  "POST /api/reauthenticate": SHORT,
  "POST /api/reauthenticate/mail": SHORT,
  "GET /api/auth/providers": FIXED,
  ...Object.fromEntries(
    ["google", "microsoft", "github", "oidc"].flatMap((provider) =>
      ["GET /", "GET /:/callback", "POST /", "POST /:/link"].map((route) => {
        const [method, path = ""] = route.split(" ");
        const named = path === "/" ? `/${provider}` : path.replace(":", provider);
        return [`${method} /api/auth${named}`, PROVIDER];
      }),
    ),
  ),
  "GET /api/auth/confirmation": PROVIDER,
  "POST /api/auth/confirmation": PROVIDER,
  "GET /api/user": reads(() => "/api/user"),
  "PATCH /api/user/profile": SHORT,
  "POST /api/user/complete-onboarding": SHORT,
  "POST /api/user/change-password": SHORT,
  "POST /api/user/avatar": FILES,
  "POST /api/attachments": FILES,
  "GET /api/attachments/:id": FILES,
  "GET /api/user/export": reads(() => "/api/user/export"),
  "DELETE /api/user/account": "deletes many envelopes in parts, which are a job below",
  "POST /api/user/verify": SHORT,
  "POST /api/user/revert-email": SHORT,
  "POST /api/user/release-email": SHORT,
  "GET /api/user/sign-ins": reads(() => "/api/user/sign-ins"),
  "GET /api/user/set-aside": reads(() => "/api/user/set-aside"),
  "POST /api/user/set-aside/:id/keep": SHORT,
  "DELETE /api/user/set-aside/:id": "deletes many envelopes in parts, which are a job below",
  "POST /api/workspaces/restore-owner": SHORT,
  "GET /api/user/providers": SHORT,
  "DELETE /api/user/providers/:provider": SHORT,
  "POST /api/user/resend-verification": SHORT,
  "GET /api/user/sessions": reads(() => "/api/user/sessions"),
  "DELETE /api/user/sessions": SHORT,
  "DELETE /api/user/sessions/:id": SHORT,
  "GET /api/workspaces": reads(() => "/api/workspaces"),
  "POST /api/workspaces": SHORT,
  "PATCH /api/workspaces/:id": SHORT,
  "POST /api/workspaces/:id/logo": FILES,
  "DELETE /api/workspaces/:id/logo": SHORT,
  "DELETE /api/workspaces/:id/stopped-schedules": SHORT,
  "GET /api/workspaces/:id/logo": FILES,
  "DELETE /api/workspaces/:id": "deletes many envelopes in parts, which are a job below",
  "GET /api/workspaces/:id/members": reads(
    ({ workspaceId }) => `/api/workspaces/${workspaceId}/members?counts=1`,
  ),
  "GET /api/workspaces/:id/members/:userId/links": reads(
    ({ workspaceId, userId }) => `/api/workspaces/${workspaceId}/members/${userId}/links`,
  ),
  "PATCH /api/workspaces/:id/members/:userId": ENVELOPES,
  "DELETE /api/workspaces/:id/members/:userId": ENVELOPES,
  "POST /api/workspaces/:id/invitations": SHORT,
  "PATCH /api/workspaces/:id/invitations/:invitationId": SHORT,
  "DELETE /api/workspaces/:id/invitations/:invitationId": SHORT,
  "GET /api/workspaces/:id/activity": reads(
    ({ workspaceId }) =>
      `/api/workspaces/${workspaceId}/activity?kind=files&person=${Number.MAX_SAFE_INTEGER}`,
    ({ workspaceId }) => `/api/workspaces/${workspaceId}/activity?limit=${LIMITS.pageMax}`,
  ),
  "GET /api/workspaces/:id/activity.csv": reads(
    ({ workspaceId }) => `/api/workspaces/${workspaceId}/activity.csv`,
  ),
  "GET /api/workspaces/:id/retention": reads(
    ({ workspaceId }) => `/api/workspaces/${workspaceId}/retention?days=30`,
  ),
  "GET /api/workspaces/deletion-notices": reads(() => "/api/workspaces/deletion-notices"),
  "POST /api/workspaces/:id/deletion-notice": SHORT,
  "POST /api/workspaces/:id/select": SHORT,
  "GET /api/contacts": reads(
    () => "/api/contacts",
    () => `/api/contacts?counts=1&tag=${"x".repeat(LIMITS.tag)}`,
    () => `/api/contacts?counts=1&filter=${encodeURIComponent("Pers ers rso son exa ampl mple Pörsön")}`,
  ),
  "GET /api/contacts/tags": reads(() => "/api/contacts/tags"),
  "POST /api/contacts/tags": sends(
    () => "/api/contacts/tags",
    () => ({
      ids: times(LIMITS.contactsAtOnce, (index) => index + 1),
      add: ["New"],
      remove: ["Tag 1", "Tag 2"],
    }),
  ),
  "POST /api/contacts/delete": sends(
    () => "/api/contacts/delete",
    () => ({ ids: times(LIMITS.contactsAtOnce, (index) => index + 2) }),
  ),
  "POST /api/contacts": sends(
    () => "/api/contacts",
    () => ({ firstName: "A", notes: "n".repeat(LIMITS.text) }),
  ),
  "POST /api/contacts/bulk": sends(
    () => "/api/contacts/bulk",
    () => ({ contacts: contacts("n".repeat(800)), match: "email" }),
    () => ({ contacts: contacts("n".repeat(900)), match: "email" }),
    [
      400,
      () => ({ contacts: times(LIMITS.contactsPerImport, () => ({ email: 1, phone: {} })), match: "email" }),
    ],
  ),
  "GET /api/contacts/export.csv": reads(() => "/api/contacts/export.csv"),
  "GET /api/contacts/:id": reads(({ contactId }) => `/api/contacts/${contactId}`),
  "PATCH /api/contacts/:id": sends(
    ({ contactId }) => `/api/contacts/${contactId}`,
    () => ({ firstName: "Renamed" }),
  ),
  "DELETE /api/contacts/:id": SHORT,
  "GET /api/templates": reads(() => "/api/templates"),
  "POST /api/templates": sends(
    () => "/api/templates",
    () => ({ name: "T", fields: documents(LONG) }),
    () => ({ name: "T", fields: documents("", 50) }),
  ),
  "GET /api/templates/:id": reads(({ templateId }) => `/api/templates/${templateId}`),
  "PUT /api/templates/:id": sends(
    ({ templateId }) => `/api/templates/${templateId}`,
    () => ({ name: "T", fields: documents(LONG) }),
  ),
  "DELETE /api/templates/:id": SHORT,
  "GET /api/requests/files.zip": reads(
    ({ archived }) => `/api/requests/files.zip?ids=${archived.join(",")}`,
    ({ answered }) => `/api/requests/files.zip?ids=${answered.join(",")}`,
  ),
  "GET /api/requests/:id/files.zip": reads(({ submitted }) => `/api/requests/${submitted.id}/files.zip`),
  "GET /api/requests/bulk": reads(() => "/api/requests/bulk"),
  "POST /api/requests/bulk": sends(
    () => "/api/requests/bulk",
    [413, () => bulk("{a}".repeat(9), { a: "v".repeat(1000) })],
    [413, () => bulk("{a}".repeat(3000), { a: "v".repeat(100) })],
    [413, () => bulk(times(1500, (index) => `{${index}}`).join(""))],
    () => bulk("", Object.fromEntries(times(100, (index) => [String(index), "x"]))),
    () => bulk(LONG.slice(0, 5000), undefined, 30),
    [
      400,
      () => ({ envelope: { documents: times(100, () => 1) }, recipients: times(500, () => ({ values: 1 })) }),
    ],
    [
      400,
      () => ({
        envelope: { documents: times(100, () => ({ name: "same" })) },
        recipients: times(500, () => ({})),
      }),
    ],
  ),
  "GET /api/series": reads(() => "/api/series"),
  "POST /api/series": sends(
    () => "/api/series",
    () => series(LONG.slice(0, 8900), undefined, 20),
    [413, () => series("{a}".repeat(3000), { a: "v".repeat(100) })],
    () => series("x", Object.fromEntries(times(100, (index) => [`column ${index}`, "v"])), 300),
  ),
  "GET /api/series/:id": reads(({ seriesId }) => `/api/series/${seriesId}`),
  "PATCH /api/series/:id": sends(
    ({ seriesId }) => `/api/series/${seriesId}`,
    () => ({ name: "n".repeat(200) }),
    [413, () => ({ envelope: series("d".repeat(8900)).envelope })],
  ),
  "DELETE /api/series/:id": SHORT,
  "POST /api/series/:id/recipients": sends(
    ({ seriesId }) => `/api/series/${seriesId}/recipients`,
    [409, () => ({ recipients: people(LIMITS.recipientsPerBulkSend) })],
  ),
  "DELETE /api/series/:id/recipients/:recipientId": SHORT,
  "POST /api/series/:id/skip": SHORT,
  "POST /api/series/:id/run": sends(
    ({ seriesId }) => `/api/series/${seriesId}/run`,
    () => ({}),
  ),
  "GET /api/requests/bulk/:id": reads(({ bulkId }) => `/api/requests/bulk/${bulkId}`),
  "GET /api/requests": reads(
    () => "/api/requests?counts=1",
    ({ contactId }) => `/api/requests?contactId=${contactId}`,
    () => "/api/requests?assignee=me&counts=1",
    ...SEARCHES.map((words) => () => `/api/requests?search=${encodeURIComponent(words)}`),
    () => "/api/requests?search=aaa&bulkId=999999",
    () => "/api/requests?view=board",
    ({ archived }) => `/api/requests?view=board&ids=${archived.join(",")}`,
  ),
  "POST /api/requests": sends(
    () => "/api/requests",
    () => envelope({ isDraft: true }),
    () => envelope({ documents: documents("{lastName}".repeat(900)) }),
    () => envelope({ documents: documents("", 50) }),
    [400, () => envelope({ documents: times(100, () => ({ name: "same" })) })],
  ),
  "POST /api/requests/preview": sends(
    () => "/api/requests/preview",
    () => envelope({ documents: documents("{lastName}".repeat(900)) }),
  ),
  "GET /api/requests/:id": reads(({ sent }) => `/api/requests/${sent.id}`),
  "PUT /api/requests/:id": sends(
    ({ draft }) => `/api/requests/${draft}`,
    () => envelope({ isDraft: true }),
    () => envelope({ isDraft: true, documents: documents("x").toReversed() }),
  ),
  "PATCH /api/requests/:id": sends(
    ({ sent }) => `/api/requests/${sent.id}`,
    ({ userId }) => ({ assigneeId: userId }),
  ),
  "POST /api/requests/:id/link": SHORT,
  "POST /api/requests/:id/link-copies": sends(
    ({ sent }) => `/api/requests/${sent.id}/link-copies`,
    () => ({}),
  ),
  "POST /api/requests/:id/watch": SHORT,
  "DELETE /api/requests/:id/watch": SHORT,
  "POST /api/requests/:id/seen": SHORT,
  "DELETE /api/requests/:id": "deletes one envelope, less than the part of a job below",
  "GET /api/requests/answers.csv": reads(() => "/api/requests/answers.csv"),
  "POST /api/requests/:id/answers/:documentId/reveal": SHORT,
  "DELETE /api/requests/:id/answers/:documentId": SHORT,
  "PATCH /api/requests/:id/documents/:documentId": SHORT,
  "DELETE /api/requests/:id/documents/:documentId/renewal": SHORT,
  "GET /api/documents/expiring": reads(
    () => "/api/documents/expiring?limit=1000",
    ({ contactId }) => `/api/documents/expiring?contactId=${contactId}`,
  ),
  "POST /api/documents/expiring/resume": SHORT,
  "GET /api/requests/:id/timeline": reads(({ submitted }) => `/api/requests/${submitted.id}/timeline`),
  "POST /api/requests/:id/review": sends(
    ({ submitted }) => `/api/requests/${submitted.id}/review`,
    ({ submitted }) => ({
      return: submitted.documents.map((documentId) => ({ documentId, reason: "r".repeat(LIMITS.reason) })),
    }),
    ({ submitted }) => ({ undo: submitted.documents }),
    ({ submitted }) => ({ accept: submitted.documents }),
  ),
  "GET /api/requests/:id/notifications": reads(
    ({ submitted }) => `/api/requests/${submitted.id}/notifications`,
  ),
  "POST /api/requests/:id/notifications/:notificationId/retry": SHORT,
  "GET /api/requests/:id/reminder": reads(({ sent }) => `/api/requests/${sent.id}/reminder`),
  "POST /api/requests/:id/send": SHORT,
  "POST /api/requests/:id/remind": sends(
    ({ sent }) => `/api/requests/${sent.id}/remind`,
    () => ({}),
  ),
  "GET /api/submissions/:token": reads(
    ({ sent }) => `/api/submissions/${sent.token}`,
    ({ questioned }) => `/api/submissions/${questioned.token}`,
  ),
  "GET /api/submissions/:token/picture": FILES,
  "GET /api/submissions/:token/logo": FILES,
  "GET /api/submissions/:token/attachments/:id": FILES,
  "POST /api/submissions/:token/opened": sends(
    ({ sent }) => `/api/submissions/${sent.token}/opened`,
    () => ({}),
  ),
  "POST /api/submissions/:token/messages": sends(
    ({ sent }) => `/api/submissions/${sent.token}/messages`,
    () => ({ text: "m".repeat(1000) }),
  ),
  "PUT /api/submissions/:token/answers": (world) => [
    ...sends(
      ({ asked }) => `/api/submissions/${asked.token}/answers`,
      [400, ({ asked }) => ({ answers: Object.fromEntries(asked.documents.map((id) => [id, ZEROS])) })],
    )(world),
    ...sends(
      ({ questioned }) => `/api/submissions/${questioned.token}/answers`,
      ({ questioned }) => ({ answers: { [questioned.first]: QUESTIONS[0]?.options[0] } }),
    )(world),
  ],
  "POST /api/submissions/:token": FILES,
  "POST /api/submissions/:token/submit": sends(
    ({ sent }) => `/api/submissions/${sent.token}/submit`,
    [400, () => ({})],
  ),
  "OPTIONS /api/submissions/:token/uploads": SHORT,
  "POST /api/submissions/:token/uploads": FILES,
  "GET /api/submissions/:token/uploads/:id": SHORT,
  "PATCH /api/submissions/:token/uploads/:id": FILES,
  "DELETE /api/submissions/:token/uploads/:id": SHORT,
  "POST /api/submissions/:token/uploads/:id": SHORT,
  "GET /api/tokens": reads(() => "/api/tokens"),
  "POST /api/tokens": SHORT,
  "DELETE /api/tokens/:id": SHORT,
  "GET /api/two-factor": SHORT,
  "POST /api/two-factor/totp": SHORT,
  "POST /api/two-factor/totp/confirm": SHORT,
  "DELETE /api/two-factor/totp": SHORT,
  "POST /api/two-factor/recovery-codes": SHORT,
  "DELETE /api/two-factor/devices": SHORT,
  "GET /api/webhooks": reads(() => "/api/webhooks"),
  "POST /api/webhooks": SHORT,
  "PATCH /api/webhooks/:id": SHORT,
  "DELETE /api/webhooks/:id": SHORT,
  "POST /api/webhooks/:id/test": SHORT,
  "POST /api/webhooks/:id/rotate": SHORT,
  "GET /api/webhooks/:id/deliveries": reads(({ webhookId }) => `/api/webhooks/${webhookId}/deliveries`),
  "POST /api/webhooks/:id/deliveries/:deliveryId/redeliver": SHORT,
  "GET /api/destinations": reads(() => "/api/destinations"),
  "GET /api/destinations/kinds": reads(() => "/api/destinations/kinds"),
  "POST /api/destinations": PROVIDER,
  "POST /api/destinations/connect": PROVIDER,
  "GET /api/destinations/callback/google": PROVIDER,
  "GET /api/destinations/callback/microsoft": PROVIDER,
  "GET /api/destinations/:id/folders": PROVIDER,
  "PATCH /api/destinations/:id": PROVIDER,
  "DELETE /api/destinations/:id": DELIVERIES,
  "POST /api/destinations/:id/test": PROVIDER,
  "GET /api/destinations/:id/backfill": DELIVERIES,
  "POST /api/destinations/:id/backfill": DELIVERIES,
  "GET /api/destinations/:id/deliveries": SHORT,
  "POST /api/destinations/:id/deliveries/:deliveryId/redeliver": SHORT,
  "POST /api/support/messages": sends(
    () => "/api/support/messages",
    () => ({ message: "m".repeat(LIMITS.text) }),
  ),
  "GET /api/unsubscribe/:token": SHORT,
  "POST /api/unsubscribe/:token": SHORT,
  "DELETE /api/unsubscribe/:token": SHORT,
  "GET /api/administration": reads(() => "/api/administration"),
  "GET /api/administration/accounts": reads(
    () => "/api/administration/accounts",
    () => `/api/administration/accounts?search=${"e".repeat(200)}`,
  ),
  "GET /api/administration/accounts/:id": reads(({ userId }) => `/api/administration/accounts/${userId}`),
  "DELETE /api/administration/accounts/:id": "deletes many envelopes in parts, which are a job below",
  "POST /api/administration/accounts/:id/disable": SHORT,
  "POST /api/administration/accounts/:id/enable": ENVELOPES,
  "PUT /api/administration/accounts/:id/quota": SHORT,
  "POST /api/administration/accounts/:id/reset-password": SHORT,
  "POST /api/administration/accounts/:id/reset-two-factor": SHORT,
  "GET /api/administration/workspaces": reads(() => "/api/administration/workspaces"),
  "PUT /api/administration/workspaces/:id/quota": SHORT,
  "GET /api/administration/invitations": reads(() => "/api/administration/invitations"),
  "POST /api/administration/invitations": SHORT,
  "DELETE /api/administration/invitations/:id": SHORT,
  "GET /api/administration/audit": reads(
    () => "/api/administration/audit",
    () => "/api/administration/audit?person=nobody",
  ),
  "GET /api/administration/audit.csv": reads(() => "/api/administration/audit.csv"),
  "POST /api/administration/test-mail": SHORT,
  "GET /api/administration/outbox": reads(() => "/api/administration/outbox?limit=1000"),
  "POST /api/administration/outbox/retry": reads(() => "/api/administration/outbox/retry"),
  "POST /api/administration/outbox/:id/retry": SHORT,
  "GET /uploads/:name": FILES,
};

/** Bodies of almost 1 MiB that no call accepts. */
export const MALFORMED = [
  "[".repeat(1_000_000),
  `${'{"documents":'.repeat(50_000)}1${"}".repeat(50_000)}`,
  `{${times(70_000, (index) => `"k${index}":1`).join(",")}}`,
  json({ documents: times(400_000, () => 1), recipients: times(60_000, () => ({})) }),
  json({ contacts: times(300_000, () => ({})), fields: times(5000, () => ({ name: 1 })) }),
  json({ email: "a@".repeat(250_000), password: "\u00e9".repeat(200_000) }),
  json({ values: times(60_000, (index) => `{${index}}`), accept: times(50_000, (index) => index) }),
];
