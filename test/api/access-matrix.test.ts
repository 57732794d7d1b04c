import { beforeAll, expect, test } from "bun:test";
import { createApp } from "../../worker/app";
import { SIGN_IN_PROVIDERS } from "../../worker/contract/options";
import type { Dependencies } from "../../worker/dependencies";
import { type ApiResponse, type Client, describeApi, programOf, type SignedUp } from "../support/api/client";
import { ENVELOPE, form, sendEnvelope, withoutDelivery } from "../support/api/envelopes";
import { joinAs } from "../support/api/team";
import { pdfFile, pngFile } from "../support/files/files";

type World = {
  owner: SignedUp;
  envelope: ApiResponse["body"];
  contact: number;
  bulk: number;
  template: number;
  answered: number;
  file: string;
  session: string;
  token: number;
  webhook: number;
  delivery: number;
  invitation: number;
};
type Call = { path: string; body?: unknown };
/** The expected statuses for a stranger, another user, the recipient of the owner's link, and the owner. */
type Statuses = readonly [stranger: number, other: number, recipient: number, owner: number];
type Row = readonly [route: string, statuses: Statuses, call: (world: World, actor: string) => Call];

const OPEN = (status: number): Statuses => [status, status, status, status];
/** The caller's own account or lists: each user has one. */
const SIGNED_IN = (status: number): Statuses => [401, status, 401, status];
/** A resource of the owner: for everybody else it does not exist. */
const OWNED = (status: number): Statuses => [401, 404, 401, status];

const fixed = (path: string, body?: unknown) => () => ({ path, body });
const TEMPLATE = { name: "Taxes", fields: [{ name: "Payslip" }] };
/** A path without a route. */
const WEBHOOK = { url: "https://127.0.0.1:9/", events: ["request.deleted"] };
const CONTACT = { firstName: "Ada" };

/** These end a session, or delete what the other calls use. */
const ENDING = /^DELETE|register$|login$|logout$|^POST .api.submissions/;

/** Open to anyone with the link; the requested resource does not exist. */
function uploadRows(): Row[] {
  const calls = [
    ["OPTIONS", "uploads", 204],
    ["POST", "uploads", 412],
    ["GET", "uploads/:id", 412],
    ["PATCH", "uploads/:id", 412],
    ["DELETE", "uploads/:id", 412],
    ["POST", "uploads/:id", 412],
    ["POST", "submit", 400],
    ["POST", "messages", 415],
  ] as const;
  return calls.map(([method, path, status]) => [
    `${method} /api/submissions/:token/${path}`,
    OPEN(status),
    ({ envelope }) => ({
      path: `/api/submissions/${envelope.submissionToken}/${path.replace(":id", "unknown")}`,
    }),
  ]);
}

/** For administrators only; `test/api/administration.test.ts` calls them as one. */
function administrationRows(): Row[] {
  const calls = [
    ["GET", ""],
    ["GET", "/accounts"],
    ["GET", "/accounts/:id"],
    ["DELETE", "/accounts/:id"],
    ["POST", "/accounts/:id/disable"],
    ["POST", "/accounts/:id/enable"],
    ["PUT", "/accounts/:id/quota", { bytes: null }],
    ["POST", "/accounts/:id/reset-password"],
    ["GET", "/invitations"],
    ["POST", "/invitations", { email: "ada@example.org" }],
    ["DELETE", "/invitations/:id"],
    ["GET", "/audit"],
    ["GET", "/audit.csv"],
    ["POST", "/test-mail"],
  ] as const;
  return calls.map(([method, path, body]) => [
    `${method} /api/administration${path}`,
    SIGNED_IN(403),
    ({ owner }) => ({ path: `/api/administration${path.replace(":id", String(owner.id))}`, body }),
  ]);
}

const MATRIX: Row[] = [
  ["GET /api/health", OPEN(200), fixed("/api/health")],
  ["GET /api/live", OPEN(200), fixed("/api/live")],
  ["GET /api/ready", OPEN(200), fixed("/api/ready")],
  ["GET /api/openapi.json", OPEN(200), fixed("/api/openapi.json")],
  ["GET /api/docs", OPEN(200), fixed("/api/docs")],
  ["GET /api/docs/style.css", OPEN(200), fixed("/api/docs/style.css")],
  ["GET /api/session", OPEN(200), fixed("/api/session")],
  [
    "POST /api/register",
    OPEN(201),
    ({ owner }, actor) => ({
      path: "/api/register",
      body: { email: `${actor}${owner.id}@example.org`, password: "secret" },
    }),
  ],
  [
    "POST /api/login",
    OPEN(200),
    ({ owner }) => ({ path: "/api/login", body: { email: owner.email, password: owner.password } }),
  ],
  ["POST /api/invitations/join", SIGNED_IN(400), fixed("/api/invitations/join", { token: "unknown" })],
  ...["read", "accept"].map(
    (step): Row => [
      `POST /api/invitations/${step}`,
      OPEN(400),
      ({ envelope }) => ({
        path: `/api/invitations/${step}`,
        body: { token: envelope.submissionToken, password: "secret" },
      }),
    ],
  ),
  // The recipient sends a token that is no API token.
  ["POST /api/logout", [204, 204, 401, 204], fixed("/api/logout")],
  [
    "POST /api/invitations/request",
    OPEN(403),
    ({ owner }) => ({ path: "/api/invitations/request", body: { email: owner.email } }),
  ],
  [
    "POST /api/password/forgot",
    OPEN(204),
    ({ owner }) => ({ path: "/api/password/forgot", body: { email: owner.email } }),
  ],
  [
    "POST /api/password/reset",
    OPEN(400),
    ({ envelope }) => ({
      path: "/api/password/reset",
      body: { token: envelope.submissionToken, newPassword: "secret" },
    }),
  ],
  ["POST /api/login/link", OPEN(400), fixed("/api/login/link", { token: "unknown" })],
  ["GET /api/auth/providers", OPEN(200), fixed("/api/auth/providers")],
  // None is configured here; test/api/provider-sign-in.test.ts signs in with them.
  ...SIGN_IN_PROVIDERS.flatMap((name): Row[] => {
    const path = `/api/auth/${name}`;
    return [
      [`GET ${path}`, OPEN(404), fixed(path)],
      [`GET ${path}/callback`, OPEN(404), fixed(`${path}/callback`)],
      [`POST ${path}`, OPEN(404), fixed(path, {})],
      [`POST ${path}/link`, SIGNED_IN(404), fixed(`${path}/link`)],
    ];
  }),
  ["GET /api/auth/confirmation", SIGNED_IN(401), fixed("/api/auth/confirmation")],
  ["POST /api/auth/confirmation", SIGNED_IN(401), fixed("/api/auth/confirmation", { id: "unknown" })],
  ["GET /api/user", SIGNED_IN(200), fixed("/api/user")],
  ["PATCH /api/user/profile", SIGNED_IN(200), fixed("/api/user/profile", { firstName: "Eve" })],
  ["POST /api/user/complete-onboarding", SIGNED_IN(200), fixed("/api/user/complete-onboarding")],
  [
    "POST /api/user/change-password",
    SIGNED_IN(400),
    fixed("/api/user/change-password", {
      currentPassword: "guess",
      newPassword: "secret",
      confirmPassword: "secret",
    }),
  ],
  ["GET /api/passkeys", SIGNED_IN(200), fixed("/api/passkeys")],
  ["POST /api/passkeys/options", SIGNED_IN(200), fixed("/api/passkeys/options")],
  ["POST /api/passkeys", SIGNED_IN(400), fixed("/api/passkeys", {})],
  ["PATCH /api/passkeys/:id", SIGNED_IN(404), fixed("/api/passkeys/99", { name: "Phone" })],
  ["DELETE /api/passkeys/:id", SIGNED_IN(404), fixed("/api/passkeys/99")],
  ["POST /api/login/passkey/options", OPEN(200), fixed("/api/login/passkey/options", {})],
  ["POST /api/login/passkey", OPEN(400), fixed("/api/login/passkey", {})],
  ["POST /api/reauthenticate", SIGNED_IN(400), fixed("/api/reauthenticate", { password: "guess" })],
  ["POST /api/reauthenticate/mail", SIGNED_IN(409), fixed("/api/reauthenticate/mail")],
  [
    "POST /api/user/avatar",
    SIGNED_IN(200),
    () => ({ path: "/api/user/avatar", body: form({ avatar: pngFile() }) }),
  ],
  [
    "POST /api/user/verify",
    OPEN(400),
    ({ envelope }) => ({ path: "/api/user/verify", body: { token: envelope.submissionToken } }),
  ],
  [
    "POST /api/user/revert-email",
    OPEN(400),
    ({ envelope }) => ({ path: "/api/user/revert-email", body: { token: envelope.submissionToken } }),
  ],
  [
    "POST /api/user/release-email",
    OPEN(400),
    ({ envelope }) => ({ path: "/api/user/release-email", body: { token: envelope.submissionToken } }),
  ],
  [
    "POST /api/workspaces/restore-owner",
    OPEN(400),
    ({ envelope }) => ({ path: "/api/workspaces/restore-owner", body: { token: envelope.submissionToken } }),
  ],
  // Only the token that a recipient's mail contains opens it, and the requestor does not know that.
  ...["GET", "POST", "DELETE"].map(
    (method): Row => [
      `${method} /api/unsubscribe/:token`,
      OPEN(404),
      ({ envelope }) => ({ path: `/api/unsubscribe/${envelope.submissionToken}` }),
    ],
  ),
  ["GET /api/user/providers", SIGNED_IN(200), fixed("/api/user/providers")],
  ["DELETE /api/user/providers/:provider", SIGNED_IN(404), fixed("/api/user/providers/google")],
  ["POST /api/user/resend-verification", SIGNED_IN(204), fixed("/api/user/resend-verification")],
  ["GET /api/user/set-aside", SIGNED_IN(200), fixed("/api/user/set-aside")],
  ["POST /api/user/set-aside/:id/keep", SIGNED_IN(404), fixed("/api/user/set-aside/1/keep")],
  ["DELETE /api/user/set-aside/:id", SIGNED_IN(404), fixed("/api/user/set-aside/1")],
  ["GET /api/user/export", SIGNED_IN(200), fixed("/api/user/export")],
  ["GET /api/user/sign-ins", SIGNED_IN(200), fixed("/api/user/sign-ins")],
  ["GET /api/user/sessions", SIGNED_IN(200), fixed("/api/user/sessions")],
  ["DELETE /api/user/sessions", SIGNED_IN(204), fixed("/api/user/sessions")],
  ["DELETE /api/user/sessions/:id", OWNED(204), ({ session }) => ({ path: `/api/user/sessions/${session}` })],
  ["GET /api/tokens", SIGNED_IN(200), fixed("/api/tokens")],
  ["POST /api/tokens", SIGNED_IN(201), fixed("/api/tokens", { name: "Backup", scope: "read" })],
  ["DELETE /api/tokens/:id", OWNED(204), ({ token }) => ({ path: `/api/tokens/${token}` })],
  ["GET /api/workspaces", SIGNED_IN(200), fixed("/api/workspaces")],
  ["POST /api/workspaces", SIGNED_IN(201), fixed("/api/workspaces", { name: "New" })],
  [
    "PATCH /api/workspaces/:id",
    OWNED(200),
    ({ owner }) => ({ path: `/api/workspaces/${owner.workspaceId}`, body: { retentionDays: null } }),
  ],
  [
    "GET /api/workspaces/:id/retention",
    OWNED(200),
    ({ owner }) => ({ path: `/api/workspaces/${owner.workspaceId}/retention?days=7` }),
  ],
  ...(
    [
      ["DELETE", "", 409],
      ["GET", "/members", 200],
      ["GET", "/members/:userId/links", 200],
      ["PATCH", "/members/:userId", 200, { role: "owner" }],
      ["DELETE", "/members/:userId", 409],
      ["POST", "/invitations", 201, { email: "colleague@example.org", role: "member" }],
      ["DELETE", "/invitations/:invitationId", 204],
      ["GET", "/activity", 200],
      ["GET", "/logo", 200],
      ["DELETE", "/logo", 204],
    ] as const
  ).map(
    ([method, path, status, body]): Row => [
      `${method} /api/workspaces/:id${path}`,
      OWNED(status),
      ({ owner, invitation }) => ({
        path: `/api/workspaces/${owner.workspaceId}${path
          .replace(":userId", String(owner.id))
          .replace(":invitationId", String(invitation))}`,
        body,
      }),
    ],
  ),
  [
    "POST /api/workspaces/:id/logo",
    OWNED(200),
    ({ owner }) => ({ path: `/api/workspaces/${owner.workspaceId}/logo`, body: form({ logo: pngFile() }) }),
  ],
  ["GET /api/workspaces/deletion-notices", SIGNED_IN(200), fixed("/api/workspaces/deletion-notices")],
  [
    "POST /api/workspaces/:id/deletion-notice",
    OWNED(204),
    ({ owner }) => ({
      path: `/api/workspaces/${owner.workspaceId}/deletion-notice`,
      body: { announcedAt: "2026-03-14T09:26:53.000Z" },
    }),
  ],
  [
    "POST /api/workspaces/:id/select",
    OWNED(204),
    ({ owner }) => ({ path: `/api/workspaces/${owner.workspaceId}/select` }),
  ],
  [
    "GET /api/contacts",
    OWNED(200),
    ({ owner }) => ({ path: `/api/contacts?workspaceId=${owner.workspaceId}` }),
  ],
  [
    "POST /api/contacts",
    OWNED(201),
    ({ owner }) => ({ path: "/api/contacts", body: { ...CONTACT, workspaceId: owner.workspaceId } }),
  ],
  [
    "POST /api/contacts/bulk",
    OWNED(201),
    ({ owner }) => ({
      path: "/api/contacts/bulk",
      body: { contacts: [CONTACT], match: "none", workspaceId: owner.workspaceId },
    }),
  ],
  [
    "GET /api/contacts/export.csv",
    OWNED(200),
    ({ owner }) => ({ path: `/api/contacts/export.csv?workspaceId=${owner.workspaceId}` }),
  ],
  ["GET /api/contacts/:id", OWNED(200), ({ contact }) => ({ path: `/api/contacts/${contact}` })],
  [
    "PATCH /api/contacts/:id",
    OWNED(200),
    ({ contact }) => ({ path: `/api/contacts/${contact}`, body: CONTACT }),
  ],
  ["DELETE /api/contacts/:id", OWNED(204), ({ contact }) => ({ path: `/api/contacts/${contact}` })],
  [
    "GET /api/templates",
    OWNED(200),
    ({ owner }) => ({ path: `/api/templates?workspaceId=${owner.workspaceId}` }),
  ],
  [
    "POST /api/templates",
    OWNED(201),
    ({ owner }) => ({ path: "/api/templates", body: { ...TEMPLATE, workspaceId: owner.workspaceId } }),
  ],
  ["GET /api/templates/:id", OWNED(200), ({ template }) => ({ path: `/api/templates/${template}` })],
  [
    "PUT /api/templates/:id",
    OWNED(200),
    ({ template }) => ({ path: `/api/templates/${template}`, body: TEMPLATE }),
  ],
  ["DELETE /api/templates/:id", OWNED(204), ({ template }) => ({ path: `/api/templates/${template}` })],
  [
    "GET /api/requests",
    OWNED(200),
    ({ owner }) => ({ path: `/api/requests?workspaceId=${owner.workspaceId}` }),
  ],
  [
    "POST /api/requests",
    OWNED(201),
    ({ contact, template }) => ({
      path: "/api/requests",
      body: { ...ENVELOPE, contactId: contact, templateId: template },
    }),
  ],
  ["POST /api/requests/preview", SIGNED_IN(200), fixed("/api/requests/preview", ENVELOPE)],
  ["GET /api/requests/bulk", SIGNED_IN(200), fixed("/api/requests/bulk")],
  [
    "POST /api/requests/bulk",
    OWNED(202),
    ({ owner }) => ({
      path: "/api/requests/bulk",
      body: { envelope: { ...ENVELOPE, workspaceId: owner.workspaceId }, recipients: [ENVELOPE] },
    }),
  ],
  ["GET /api/requests/bulk/:id", OWNED(200), ({ bulk }) => ({ path: `/api/requests/bulk/${bulk}` })],
  ["GET /api/requests/:id", OWNED(200), ({ envelope }) => ({ path: `/api/requests/${envelope.id}` })],
  [
    "PUT /api/requests/:id",
    OWNED(200),
    ({ envelope }) => ({ path: `/api/requests/${envelope.id}`, body: ENVELOPE }),
  ],
  [
    "PATCH /api/requests/:id",
    OWNED(200),
    ({ envelope, owner }) => ({
      path: `/api/requests/${envelope.id}`,
      body: { assigneeId: owner.id },
    }),
  ],
  [
    "POST /api/requests/:id/watch",
    OWNED(204),
    ({ envelope }) => ({ path: `/api/requests/${envelope.id}/watch` }),
  ],
  [
    "DELETE /api/requests/:id/watch",
    OWNED(204),
    ({ envelope }) => ({ path: `/api/requests/${envelope.id}/watch` }),
  ],
  ["DELETE /api/requests/:id", OWNED(204), ({ envelope }) => ({ path: `/api/requests/${envelope.id}` })],
  [
    "GET /api/requests/:id/notifications",
    OWNED(200),
    ({ envelope }) => ({ path: `/api/requests/${envelope.id}/notifications` }),
  ],
  [
    "POST /api/requests/:id/notifications/:notificationId/retry",
    OWNED(404),
    ({ envelope }) => ({ path: `/api/requests/${envelope.id}/notifications/999999/retry` }),
  ],
  [
    "POST /api/requests/:id/review",
    OWNED(409),
    ({ envelope }) => ({
      path: `/api/requests/${envelope.id}/review`,
      body: { accept: [envelope.documents[0].id] },
    }),
  ],
  [
    "GET /api/requests/:id/files.zip",
    OWNED(200),
    ({ answered }) => ({ path: `/api/requests/${answered}/files.zip` }),
  ],
  [
    "GET /api/requests/files.zip",
    OWNED(200),
    ({ answered }) => ({ path: `/api/requests/files.zip?ids=${answered}` }),
  ],
  [
    "POST /api/requests/:id/seen",
    OWNED(204),
    ({ answered }) => ({ path: `/api/requests/${answered}/seen`, body: { completedAt: "" } }),
  ],
  [
    "GET /api/requests/:id/timeline",
    OWNED(200),
    ({ envelope }) => ({ path: `/api/requests/${envelope.id}/timeline` }),
  ],
  [
    "GET /api/requests/:id/reminder",
    OWNED(200),
    ({ envelope }) => ({ path: `/api/requests/${envelope.id}/reminder` }),
  ],
  ["POST /api/requests/:id/link", OWNED(409), ({ answered }) => ({ path: `/api/requests/${answered}/link` })],
  [
    "POST /api/requests/:id/remind",
    OWNED(201),
    ({ envelope }) => ({ path: `/api/requests/${envelope.id}/remind` }),
  ],
  [
    "GET /api/submissions/:token",
    OPEN(200),
    ({ envelope }) => ({ path: `/api/submissions/${envelope.submissionToken}` }),
  ],
  [
    "GET /api/submissions/:token/logo",
    OPEN(200),
    ({ envelope }) => ({ path: `/api/submissions/${envelope.submissionToken}/logo` }),
  ],
  [
    "GET /api/submissions/:token/picture",
    OPEN(200),
    ({ envelope }) => ({ path: `/api/submissions/${envelope.submissionToken}/picture` }),
  ],
  [
    "POST /api/submissions/:token/opened",
    OPEN(204),
    ({ envelope }) => ({ path: `/api/submissions/${envelope.submissionToken}/opened` }),
  ],
  [
    "POST /api/submissions/:token",
    [201, 410, 410, 410],
    ({ envelope }) => ({
      path: `/api/submissions/${envelope.submissionToken}`,
      body: form({ Contract: pdfFile() }),
    }),
  ],
  ...uploadRows(),
  ...administrationRows(),
  ["GET /api/webhooks", SIGNED_IN(200), fixed("/api/webhooks")],
  ["POST /api/webhooks", SIGNED_IN(201), fixed("/api/webhooks", WEBHOOK)],
  ...(
    [
      ["PATCH", "", 200, { description: "Mine" }],
      ["POST", "/test", 201],
      ["POST", "/rotate", 200],
      ["GET", "/deliveries", 200],
      ["DELETE", "", 204],
    ] as const
  ).map(
    ([method, path, status, body]): Row => [
      `${method} /api/webhooks/:id${path}`,
      OWNED(status),
      ({ webhook }) => ({ path: `/api/webhooks/${webhook}${path}`, body }),
    ],
  ),
  [
    "POST /api/webhooks/:id/deliveries/:deliveryId/redeliver",
    OWNED(200),
    ({ webhook, delivery }) => ({ path: `/api/webhooks/${webhook}/deliveries/${delivery}/redeliver` }),
  ],
  ["GET /api/two-factor", SIGNED_IN(200), fixed("/api/two-factor")],
  ["POST /api/two-factor/totp", SIGNED_IN(200), fixed("/api/two-factor/totp")],
  ["POST /api/two-factor/totp/confirm", SIGNED_IN(400), fixed("/api/two-factor/totp/confirm", { code: "" })],
  ["POST /api/two-factor/recovery-codes", SIGNED_IN(409), fixed("/api/two-factor/recovery-codes")],
  ["DELETE /api/two-factor/totp", SIGNED_IN(204), fixed("/api/two-factor/totp")],
  ["DELETE /api/two-factor/devices", SIGNED_IN(204), fixed("/api/two-factor/devices")],
  [
    "POST /api/login/second-factor",
    // Neither a code nor a passkey.
    OPEN(400),
    fixed("/api/login/second-factor", { challenge: "unknown" }),
  ],
  ["POST /api/support/messages", SIGNED_IN(204), fixed("/api/support/messages", { message: "Help" })],
  // The recipient sends the link's token as an API token.
  ["GET /uploads/:name", [404, 404, 401, 200], ({ file }) => ({ path: file })],
  ["DELETE /api/user/account", SIGNED_IN(204), fixed("/api/user/account")],
];

describeApi(
  "access",
  (api) => {
    let shared: World & { other: SignedUp };
    beforeAll(async () => {
      shared = { ...(await build()), other: await api.signUp() };
    });

    async function build(): Promise<World> {
      const owner = await api.signUp();
      await owner.post("/api/user/avatar", form({ avatar: pngFile() }));
      await owner.post(`/api/workspaces/${owner.workspaceId}/logo`, form({ logo: pngFile() }));
      const answered = await sendEnvelope(owner);
      await api
        .anonymous()
        .post(`/api/submissions/${answered.submissionToken}`, form({ Contract: pdfFile() }));
      const { body } = await owner.get(`/api/requests/${answered.id}`);
      const webhook = (await owner.post("/api/webhooks", WEBHOOK)).body.id;
      return {
        owner,
        envelope: await sendEnvelope(owner),
        contact: (await owner.post("/api/contacts", CONTACT)).body.id,
        bulk: (await owner.post("/api/requests/bulk", { envelope: ENVELOPE, recipients: [ENVELOPE] })).body
          .id,
        template: (await owner.post("/api/templates", TEMPLATE)).body.id,
        answered: body.id,
        file: body.submissions[0].url,
        session: (await owner.get("/api/user/sessions")).body[0].id,
        webhook,
        delivery: (await owner.post(`/api/webhooks/${webhook}/test`)).body.id,
        invitation: (
          await owner.post(`/api/workspaces/${owner.workspaceId}/invitations`, {
            email: `invited${owner.id}@example.org`,
            role: "viewer",
          })
        ).body.id,
        token: (await owner.post("/api/tokens", { name: "Backup", scope: "read" })).body.id,
      };
    }

    /** A world with a webhook of the workspace, and with colleagues of each role. */
    async function buildTeam() {
      const world = await build();
      const { owner } = world;
      const { workspaceId } = owner;
      const webhook = (await owner.post("/api/webhooks", { ...WEBHOOK, workspaceId })).body.id;
      const delivery = (await owner.post(`/api/webhooks/${webhook}/test`)).body.id;
      const former = await joinAs(api, owner, "owner");
      await owner.delete(`/api/workspaces/${workspaceId}/members/${former.id}`);
      return {
        world: { ...world, webhook, delivery },
        former,
        viewer: await joinAs(api, owner, "viewer"),
        member: await joinAs(api, owner, "member"),
        partner: await joinAs(api, owner, "owner"),
      };
    }

    /** A client that only has the link's token and tries it on every other route. */
    function recipientOf({ submissionToken }: ApiResponse["body"]): Client {
      const client = api.anonymous();
      const headers = { cookie: `session=${submissionToken}`, authorization: `Bearer ${submissionToken}` };
      return { ...client, send: (method, path, body) => client.send(method, path, body, headers) };
    }

    test.each(MATRIX)(
      "%s answers a stranger, another user, a recipient and the owner with %j",
      async (route, statuses, call) => {
        const world = ENDING.test(route) ? await build() : shared;
        const other = ENDING.test(route) ? await api.signUp() : shared.other;
        const recipient = recipientOf(world.envelope);
        const actors = { stranger: api.anonymous(), other, recipient, owner: world.owner };
        const [method = ""] = route.split(" ");
        const seen: number[] = [];
        for (const [actor, client] of Object.entries(actors)) {
          const { path, body } = call(world, actor);
          seen.push((await client.send(method, path, body)).status);
        }
        expect(seen).toEqual([...statuses]);
      },
    );

    /** What a colleague may not do, of what an owner may; the rest they do like the owner. */
    const FOR_OWNERS =
      /^(?:PATCH|DELETE) .api.workspaces.:id$|retention$|deletion-notice$|members.:userId(?:.links)?$|workspaces.:id.invitations|activity$|^(?:POST|DELETE) .api.workspaces.:id.logo$|webhooks.:id/;
    const LOOKING = /^GET |seen$|select$|watch$/;
    /** The calls about what a workspace contains: for everybody else it does not exist. */
    const SHARED = MATRIX.filter(
      ([route, [, other]]) =>
        other === 404 &&
        !/sessions|passkeys|tokens|submissions|auth|providers|set-aside|unsubscribe/.test(route),
    );

    test("a member, a viewer, another owner and a former member of a workspace may do what their role allows", async () => {
      expect(SHARED.length).toBeGreaterThan(35);
      let team = await buildTeam();
      let ended = false;
      for (const [route, [, , , expected], call] of SHARED) {
        if (ENDING.test(route) || ended) team = await buildTeam();
        ended = ENDING.test(route);
        const { world, ...people } = team;
        const [method = ""] = route.split(" ");
        const as = async (client: Client) => {
          const { path, body } = call(world, "colleague");
          const { workspaceId } = world.owner;
          const sent = route === "POST /api/requests" ? { ...ENVELOPE, workspaceId } : body;
          return (await client.send(method, path, sent)).status;
        };
        const isOwners = FOR_OWNERS.test(route);
        expect([route, await as(people.former)]).toEqual([route, 404]);
        expect([route, (await as(people.viewer)) === 403]).toEqual([route, isOwners || !LOOKING.test(route)]);
        expect([route, (await as(people.member)) === 403]).toEqual([route, isOwners]);
        if (!ENDING.test(route))
          expect([route, await as(people.partner)]).not.toBeOneOf(
            [403, 404, 500].filter((status) => status !== expected).map((status) => [route, status]),
          );
      }
    }, 60_000);

    test("another account's API token grants no more than its session, and a read token changes nothing", async () => {
      const issue = async (client: SignedUp, scope: string) =>
        (await client.post("/api/tokens", { name: scope, scope })).body.token;
      const tokens = [await issue(shared.other, "write"), await issue(shared.owner, "read")];
      for (const [route, [stranger, other], call] of MATRIX) {
        const [method = ""] = route.split(" ");
        if (ENDING.test(route) || stranger < 400) continue;
        const { path, body } = call(shared, "program");
        const [foreign, reading] = await Promise.all(
          tokens.map(async (token) => {
            const headers = { authorization: `Bearer ${token}` };
            return (await api.anonymous().send(method, path, body, headers)).status;
          }),
        );
        expect([route, foreign]).toBeOneOf([
          [route, other],
          [route, 403],
        ]);
        if (stranger === 401 && method !== "GET") expect([route, reading]).toEqual([route, 403]);
      }
    }, 20_000);

    test("to an API token that is limited to another workspace of the account, this one does not exist", async () => {
      const { owner, ...things } = await build();
      const { workspaceId } = owner;
      const other = (await owner.post("/api/workspaces", { name: "Other" })).body.id;
      const webhook = (await owner.post("/api/webhooks", { ...WEBHOOK, workspaceId })).body.id;
      const delivery = (await owner.post(`/api/webhooks/${webhook}/test`)).body.id;
      const world = { ...things, owner, webhook, delivery };
      const issue = async (limit: number) => {
        const token = { name: "One", scope: "write", workspaceId: limit };
        return programOf(api, (await owner.post("/api/tokens", token)).body.token);
      };
      const [outside, inside] = [await issue(other), await issue(workspaceId)];
      for (const [route, [, , , expected], call] of SHARED) {
        const [method = ""] = route.split(" ");
        const { path, body } = call(world, "program");
        const sessionOnly = /select$|deletion-notice$/.test(route);
        const status = async (client: Client) => (await client.send(method, path, body)).status;
        expect([route, await status(outside)]).toEqual([route, sessionOnly ? 403 : 404]);
        if (!ENDING.test(route) && !sessionOnly)
          expect([route, await status(inside)]).not.toBeOneOf(
            [403, 404, 500].filter((other) => other !== expected).map((other) => [route, other]),
          );
      }
    }, 60_000);

    test("a recipient can read and answer only the envelope of their link", async () => {
      const [one, two] = [await build(), await build()];
      const own = await sendEnvelope(one.owner, { recipientName: "One" });
      const foreign = await sendEnvelope(two.owner, { recipientName: "Two" });
      const seen = await recipientOf(own).send("GET", `/api/submissions/${own.submissionToken}`);
      expect(seen.body.title).toBe("Document Request for One");
      expect(seen.text).not.toContain(foreign.submissionToken);
      await recipientOf(own).send(
        "POST",
        `/api/submissions/${own.submissionToken}`,
        form({ Contract: pdfFile() }),
      );
      expect(withoutDelivery((await two.owner.get(`/api/requests/${foreign.id}`)).body)).toEqual(
        withoutDelivery(foreign),
      );
    });

    test("each kind of token is rejected wherever another kind is expected", async () => {
      const { owner, envelope } = await build();
      const session = owner.cookie.split("=")[1] ?? "";
      for (const token of [session, String(envelope.id), owner.email])
        expect((await api.anonymous().get(`/api/submissions/${token}`)).status).toBe(404);
    });
  },
  { variables: { ADMIN_EMAILS: "nobody@example.org", WEBHOOK_ALLOW_PRIVATE: "on" } },
);

test("the matrix contains exactly the routes of the app", () => {
  const { routes } = createApp({} as Dependencies);
  const served = routes
    .filter(({ method }) => method !== "ALL")
    .map(({ method, path }) => `${method} ${path}`);
  expect([...new Set(served)].sort()).toEqual(MATRIX.map(([route]) => route).sort());
});
