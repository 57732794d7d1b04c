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
  series: number;
  template: number;
  answered: number;
  attachment: number;
  destination: unknown;
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
/** What a call has besides its route. */
type Given = {
  body?: unknown;
  bodyOf?: (world: World, actor: string) => unknown;
  queryOf?: (world: World) => string;
  /** It is about the envelope that has been answered. */
  isAnswered?: boolean;
};

const OPEN = (status: number): Statuses => [status, status, status, status];
/** The caller's own account or lists: each user has one. */
const SIGNED_IN = (status: number): Statuses => [401, status, 401, status];
/** A resource of the owner: for everybody else it does not exist. */
const OWNED = (status: number): Statuses => [401, 404, 401, status];

const TEMPLATE = { name: "Taxes", fields: [{ name: "Payslip" }] };
const WEBHOOK = { url: "https://127.0.0.1:9/", events: ["request.deleted"] };
const destinationIn = (workspaceId: number) => ({
  ...{ workspaceId, kind: "webdav", name: "Nextcloud", settings: { url: "http://127.0.0.1:9/" } },
  credentials: { user: "a", password: "b" },
});
const CONTACT = { firstName: "Ada" };
const SERIES = {
  ...{ name: "Statements", every: 1, unit: "month", startOn: "2026-05-01" },
  envelope: { subject: "Statements", documents: [{ name: "Statement" }] },
  recipients: [ENVELOPE],
};

/** A token of another kind. */
const LINK = ({ envelope }: World) => ({ token: envelope.submissionToken });
const IN_WORKSPACE = { queryOf: ({ owner }: World) => `?workspaceId=${owner.workspaceId}` };
const ANSWERED = { isAnswered: true };

/** A form to fill in for a workspace. */
function attachmentIn(workspaceId: number): FormData {
  const body = form({ file: pdfFile() });
  body.append("workspaceId", String(workspaceId));
  return body;
}

/** These end a session, or delete what the other calls use. */
const ENDING = /^DELETE|register$|login$|logout$|^POST .api.submissions/;
/** Of these, those after which no other of them can be tried in the same world. */
const ENDING_ALL =
  /register$|login$|logout$|sessions|account$|^POST .api.submissions.:token$|^DELETE .api.requests.:id$/;

const EXPECTED: Record<string, readonly [Statuses, Given?]> = {
  "GET /api/health": [OPEN(200)],
  "GET /api/live": [OPEN(200)],
  "GET /api/ready": [OPEN(200)],
  "GET /api/openapi.json": [OPEN(200)],
  "GET /api/docs": [OPEN(200)],
  "GET /api/docs/style.css": [OPEN(200)],
  "GET /api/session": [OPEN(200)],
  "POST /api/register": [
    OPEN(201),
    { bodyOf: ({ owner }, actor) => ({ email: `${actor}${owner.id}@example.org`, password: "secret" }) },
  ],
  "POST /api/login": [
    OPEN(200),
    { bodyOf: ({ owner }) => ({ email: owner.email, password: owner.password }) },
  ],
  "POST /api/invitations/join": [SIGNED_IN(400), { body: { token: "unknown" } }],
  "POST /api/invitations/read": [OPEN(400), { bodyOf: LINK }],
  "POST /api/invitations/accept": [
    OPEN(400),
    { bodyOf: (world) => ({ ...LINK(world), password: "secret" }) },
  ],
  // The recipient sends a token that is no API token.
  "POST /api/logout": [[204, 204, 401, 204]],
  "POST /api/invitations/request": [OPEN(403), { bodyOf: ({ owner }) => ({ email: owner.email }) }],
  "POST /api/password/forgot": [OPEN(204), { bodyOf: ({ owner }) => ({ email: owner.email }) }],
  "POST /api/password/reset": [OPEN(400), { bodyOf: (world) => ({ ...LINK(world), newPassword: "secret" }) }],
  "POST /api/login/link": [OPEN(400), { body: { token: "unknown" } }],
  "GET /api/auth/providers": [OPEN(200)],
  // None is configured here; test/api/provider-sign-in.test.ts signs in with them.
  ...Object.fromEntries(
    SIGN_IN_PROVIDERS.map((name) => `/api/auth/${name}`).flatMap((path) => [
      [`GET ${path}`, [OPEN(404)]],
      [`GET ${path}/callback`, [OPEN(404)]],
      [`POST ${path}`, [OPEN(404), { body: {} }]],
      [`POST ${path}/link`, [SIGNED_IN(404)]],
    ]),
  ),
  "GET /api/auth/confirmation": [SIGNED_IN(401)],
  "POST /api/auth/confirmation": [SIGNED_IN(401), { body: { id: "unknown" } }],
  "GET /api/user": [SIGNED_IN(200)],
  "PATCH /api/user/profile": [SIGNED_IN(200), { body: { firstName: "Eve" } }],
  "POST /api/user/complete-onboarding": [SIGNED_IN(200)],
  "POST /api/user/change-password": [
    SIGNED_IN(400),
    { body: { currentPassword: "guess", newPassword: "secret", confirmPassword: "secret" } },
  ],
  "GET /api/passkeys": [SIGNED_IN(200)],
  "POST /api/passkeys/options": [SIGNED_IN(200)],
  "POST /api/passkeys": [SIGNED_IN(400), { body: {} }],
  "PATCH /api/passkeys/:id": [SIGNED_IN(404), { body: { name: "Phone" } }],
  "DELETE /api/passkeys/:id": [SIGNED_IN(404)],
  "POST /api/login/passkey/options": [OPEN(200), { body: {} }],
  "POST /api/login/passkey": [OPEN(400), { body: {} }],
  "POST /api/reauthenticate": [SIGNED_IN(400), { body: { password: "guess" } }],
  "POST /api/reauthenticate/mail": [SIGNED_IN(409)],
  "POST /api/user/avatar": [SIGNED_IN(200), { bodyOf: () => form({ avatar: pngFile() }) }],
  "POST /api/user/verify": [OPEN(400), { bodyOf: LINK }],
  "POST /api/user/revert-email": [OPEN(400), { bodyOf: LINK }],
  "POST /api/user/release-email": [OPEN(400), { bodyOf: LINK }],
  "POST /api/workspaces/restore-owner": [OPEN(400), { bodyOf: LINK }],
  // Only the token that a recipient's mail contains opens it, and the requestor does not know that.
  "GET /api/unsubscribe/:token": [OPEN(404)],
  "POST /api/unsubscribe/:token": [OPEN(404)],
  "DELETE /api/unsubscribe/:token": [OPEN(404)],
  "GET /api/user/providers": [SIGNED_IN(200)],
  "DELETE /api/user/providers/:provider": [SIGNED_IN(404)],
  "POST /api/user/resend-verification": [SIGNED_IN(204)],
  "GET /api/user/set-aside": [SIGNED_IN(200)],
  "POST /api/user/set-aside/:id/keep": [SIGNED_IN(404)],
  "DELETE /api/user/set-aside/:id": [SIGNED_IN(404)],
  "GET /api/user/export": [SIGNED_IN(200)],
  "GET /api/user/sign-ins": [SIGNED_IN(200)],
  "GET /api/user/sessions": [SIGNED_IN(200)],
  "DELETE /api/user/sessions": [SIGNED_IN(204)],
  "DELETE /api/user/sessions/:id": [OWNED(204)],
  "GET /api/tokens": [SIGNED_IN(200)],
  "POST /api/tokens": [SIGNED_IN(201), { body: { name: "Backup", scope: "read" } }],
  "DELETE /api/tokens/:id": [OWNED(204)],
  "GET /api/submissions/:token/attachments/:id": [OPEN(200)],
  "GET /api/attachments/:id": [OWNED(200)],
  "POST /api/attachments": [OWNED(201), { bodyOf: ({ owner }) => attachmentIn(owner.workspaceId) }],
  "GET /api/workspaces": [SIGNED_IN(200)],
  "POST /api/workspaces": [SIGNED_IN(201), { body: { name: "New" } }],
  "PATCH /api/workspaces/:id": [OWNED(200), { body: { retentionDays: null } }],
  "GET /api/workspaces/:id/retention": [OWNED(200), { queryOf: () => "?days=7" }],
  "DELETE /api/workspaces/:id": [OWNED(409)],
  "GET /api/workspaces/:id/members": [OWNED(200)],
  "GET /api/workspaces/:id/members/:userId/links": [OWNED(200)],
  "PATCH /api/workspaces/:id/members/:userId": [OWNED(200), { body: { role: "owner" } }],
  "DELETE /api/workspaces/:id/members/:userId": [OWNED(409)],
  "POST /api/workspaces/:id/invitations": [
    OWNED(201),
    { body: { email: "colleague@example.org", role: "member" } },
  ],
  "PATCH /api/workspaces/:id/invitations/:invitationId": [OWNED(200), { body: { role: "viewer" } }],
  "DELETE /api/workspaces/:id/invitations/:invitationId": [OWNED(204)],
  "GET /api/workspaces/:id/activity": [OWNED(200)],
  "GET /api/workspaces/:id/activity.csv": [OWNED(200)],
  "GET /api/workspaces/:id/logo": [OWNED(200)],
  "DELETE /api/workspaces/:id/logo": [OWNED(204)],
  "DELETE /api/workspaces/:id/stopped-schedules": [OWNED(204)],
  "POST /api/workspaces/:id/logo": [OWNED(200), { bodyOf: () => form({ logo: pngFile() }) }],
  "GET /api/workspaces/deletion-notices": [SIGNED_IN(200)],
  "POST /api/workspaces/:id/deletion-notice": [
    OWNED(204),
    { body: { announcedAt: "2026-03-14T09:26:53.000Z" } },
  ],
  "POST /api/workspaces/:id/select": [OWNED(204)],
  "GET /api/contacts": [OWNED(200), IN_WORKSPACE],
  "POST /api/contacts": [
    OWNED(201),
    { bodyOf: ({ owner }) => ({ ...CONTACT, workspaceId: owner.workspaceId }) },
  ],
  "POST /api/contacts/bulk": [
    OWNED(201),
    { bodyOf: ({ owner }) => ({ contacts: [CONTACT], match: "none", workspaceId: owner.workspaceId }) },
  ],
  "GET /api/contacts/export.csv": [OWNED(200), IN_WORKSPACE],
  "POST /api/contacts/delete": [SIGNED_IN(200), { body: { ids: [Number.MAX_SAFE_INTEGER] } }],
  "GET /api/contacts/tags": [OWNED(200), IN_WORKSPACE],
  "POST /api/contacts/tags": [
    OWNED(200),
    { bodyOf: ({ owner, contact }) => ({ workspaceId: owner.workspaceId, ids: [contact], add: ["VIP"] }) },
  ],
  "GET /api/contacts/:id": [OWNED(200)],
  "PATCH /api/contacts/:id": [OWNED(200), { body: CONTACT }],
  "DELETE /api/contacts/:id": [OWNED(204)],
  "GET /api/templates": [OWNED(200), IN_WORKSPACE],
  "POST /api/templates": [
    OWNED(201),
    { bodyOf: ({ owner }) => ({ ...TEMPLATE, workspaceId: owner.workspaceId }) },
  ],
  "GET /api/templates/:id": [OWNED(200)],
  "PUT /api/templates/:id": [OWNED(200), { body: TEMPLATE }],
  "DELETE /api/templates/:id": [OWNED(204)],
  "GET /api/requests": [OWNED(200), IN_WORKSPACE],
  "POST /api/requests": [
    OWNED(201),
    { bodyOf: ({ contact, template }) => ({ ...ENVELOPE, contactId: contact, templateId: template }) },
  ],
  "POST /api/requests/preview": [SIGNED_IN(200), { body: ENVELOPE }],
  "GET /api/requests/bulk": [SIGNED_IN(200)],
  "POST /api/requests/bulk": [
    OWNED(202),
    {
      bodyOf: ({ owner: { workspaceId } }) => ({
        envelope: { ...ENVELOPE, workspaceId },
        recipients: [ENVELOPE],
      }),
    },
  ],
  "GET /api/requests/bulk/:id": [OWNED(200)],
  "GET /api/series": [OWNED(200), IN_WORKSPACE],
  "POST /api/series": [OWNED(201), { bodyOf: ({ owner: { workspaceId } }) => ({ ...SERIES, workspaceId }) }],
  "GET /api/series/:id": [OWNED(200)],
  "PATCH /api/series/:id": [OWNED(200), { body: { name: "Renamed" } }],
  "DELETE /api/series/:id": [OWNED(204)],
  "POST /api/series/:id/recipients": [OWNED(200), { body: { recipients: [ENVELOPE] } }],
  "DELETE /api/series/:id/recipients/:recipientId": [OWNED(404)],
  "POST /api/series/:id/skip": [OWNED(200), { body: {} }],
  "POST /api/series/:id/run": [OWNED(200), { body: {} }],
  "GET /api/requests/:id": [OWNED(200)],
  "PUT /api/requests/:id": [OWNED(200), { body: ENVELOPE }],
  "PATCH /api/requests/:id": [OWNED(200), { bodyOf: ({ owner }) => ({ assigneeId: owner.id }) }],
  "POST /api/requests/:id/watch": [OWNED(204)],
  "DELETE /api/requests/:id/watch": [OWNED(204)],
  "DELETE /api/requests/:id": [OWNED(204)],
  "GET /api/requests/:id/notifications": [OWNED(200)],
  "POST /api/requests/:id/notifications/:notificationId/retry": [OWNED(404)],
  "POST /api/requests/:id/review": [
    OWNED(409),
    { bodyOf: ({ envelope }) => ({ accept: [envelope.documents[0].id] }) },
  ],
  "GET /api/requests/:id/files.zip": [OWNED(200), ANSWERED],
  "GET /api/requests/files.zip": [OWNED(200), { queryOf: ({ answered }) => `?ids=${answered}` }],
  "POST /api/requests/:id/seen": [OWNED(204), { ...ANSWERED, body: { completedAt: "" } }],
  "GET /api/requests/:id/timeline": [OWNED(200)],
  "GET /api/requests/answers.csv": [SIGNED_IN(200)],
  // The envelope has no answer; test/api/questions.test.ts has some.
  "POST /api/requests/:id/answers/:documentId/reveal": [SIGNED_IN(404)],
  "DELETE /api/requests/:id/answers/:documentId": [SIGNED_IN(404)],
  "PATCH /api/requests/:id/documents/:documentId": [SIGNED_IN(404), { body: {} }],
  "DELETE /api/requests/:id/documents/:documentId/renewal": [SIGNED_IN(404)],
  "GET /api/documents/expiring": [OWNED(200), IN_WORKSPACE],
  "POST /api/documents/expiring/resume": [
    OWNED(204),
    { bodyOf: ({ owner }) => ({ workspaceId: owner.workspaceId }) },
  ],
  "GET /api/requests/:id/reminder": [OWNED(200)],
  "POST /api/requests/:id/link": [OWNED(409), ANSWERED],
  "POST /api/requests/:id/link-copies": [OWNED(200)],
  "POST /api/requests/:id/send": [OWNED(409)],
  "POST /api/requests/:id/remind": [OWNED(201)],
  "GET /api/submissions/:token": [OPEN(200)],
  "GET /api/submissions/:token/logo": [OPEN(200)],
  "GET /api/submissions/:token/picture": [OPEN(200)],
  "POST /api/submissions/:token/opened": [OPEN(204)],
  "POST /api/submissions/:token": [[201, 410, 410, 410], { bodyOf: () => form({ Contract: pdfFile() }) }],
  // Open to anyone with the link; the upload does not exist.
  "OPTIONS /api/submissions/:token/uploads": [OPEN(204)],
  "POST /api/submissions/:token/uploads": [OPEN(412)],
  "GET /api/submissions/:token/uploads/:id": [OPEN(412)],
  "PATCH /api/submissions/:token/uploads/:id": [OPEN(412)],
  "DELETE /api/submissions/:token/uploads/:id": [OPEN(412)],
  "POST /api/submissions/:token/uploads/:id": [OPEN(412)],
  "POST /api/submissions/:token/submit": [OPEN(400)],
  "POST /api/submissions/:token/messages": [OPEN(415)],
  "PUT /api/submissions/:token/answers": [OPEN(415)],
  // For administrators only; test/api/administration.test.ts calls them as one.
  "GET /api/administration": [SIGNED_IN(403)],
  "GET /api/administration/accounts": [SIGNED_IN(403)],
  "GET /api/administration/accounts/:id": [SIGNED_IN(403)],
  "DELETE /api/administration/accounts/:id": [SIGNED_IN(403)],
  "POST /api/administration/accounts/:id/disable": [SIGNED_IN(403)],
  "POST /api/administration/accounts/:id/enable": [SIGNED_IN(403)],
  "PUT /api/administration/accounts/:id/quota": [SIGNED_IN(403), { body: { bytes: null } }],
  "POST /api/administration/accounts/:id/reset-password": [SIGNED_IN(403)],
  "POST /api/administration/accounts/:id/reset-two-factor": [SIGNED_IN(403)],
  "GET /api/administration/workspaces": [SIGNED_IN(403)],
  "PUT /api/administration/workspaces/:id/quota": [SIGNED_IN(403), { body: { bytes: null } }],
  "GET /api/administration/invitations": [SIGNED_IN(403)],
  "POST /api/administration/invitations": [SIGNED_IN(403), { body: { email: "ada@example.org" } }],
  "DELETE /api/administration/invitations/:id": [SIGNED_IN(403)],
  "GET /api/administration/audit": [SIGNED_IN(403)],
  "GET /api/administration/audit.csv": [SIGNED_IN(403)],
  "POST /api/administration/test-mail": [SIGNED_IN(403)],
  "GET /api/administration/outbox": [SIGNED_IN(403)],
  "POST /api/administration/outbox/retry": [SIGNED_IN(403)],
  "POST /api/administration/outbox/:id/retry": [SIGNED_IN(403)],
  "GET /api/destinations": [SIGNED_IN(200)],
  "GET /api/destinations/kinds": [SIGNED_IN(200)],
  // Nobody listens there.
  "POST /api/destinations": [OWNED(400), { bodyOf: ({ owner }) => destinationIn(owner.workspaceId) }],
  "POST /api/destinations/connect": [
    SIGNED_IN(400),
    { bodyOf: ({ owner }) => ({ workspaceId: owner.workspaceId, kind: "google" }) },
  ],
  "GET /api/destinations/callback/microsoft": [OPEN(302)],
  "GET /api/destinations/callback/google": [OPEN(302)],
  // WebDAV has no folders to choose from.
  "GET /api/destinations/:id/folders": [OWNED(400)],
  "PATCH /api/destinations/:id": [OWNED(200), { body: { name: "NAS" } }],
  "POST /api/destinations/:id/test": [OWNED(200)],
  "GET /api/destinations/:id/backfill": [OWNED(200)],
  "POST /api/destinations/:id/backfill": [OWNED(202), { body: {} }],
  "GET /api/destinations/:id/deliveries": [OWNED(200)],
  // A webhook's.
  "POST /api/destinations/:id/deliveries/:deliveryId/redeliver": [OWNED(404)],
  "DELETE /api/destinations/:id": [OWNED(204)],
  "GET /api/webhooks": [SIGNED_IN(200)],
  "POST /api/webhooks": [SIGNED_IN(201), { body: WEBHOOK }],
  "PATCH /api/webhooks/:id": [OWNED(200), { body: { description: "Mine" } }],
  "POST /api/webhooks/:id/test": [OWNED(201)],
  "POST /api/webhooks/:id/rotate": [OWNED(200)],
  "GET /api/webhooks/:id/deliveries": [OWNED(200)],
  "DELETE /api/webhooks/:id": [OWNED(204)],
  "POST /api/webhooks/:id/deliveries/:deliveryId/redeliver": [OWNED(200)],
  "GET /api/two-factor": [SIGNED_IN(200)],
  "POST /api/two-factor/totp": [SIGNED_IN(200)],
  "POST /api/two-factor/totp/confirm": [SIGNED_IN(400), { body: { code: "" } }],
  "POST /api/two-factor/recovery-codes": [SIGNED_IN(409)],
  "DELETE /api/two-factor/totp": [SIGNED_IN(204)],
  "DELETE /api/two-factor/devices": [SIGNED_IN(204)],
  // Neither a code nor a passkey.
  "POST /api/login/second-factor": [OPEN(400), { body: { challenge: "unknown" } }],
  "POST /api/support/messages": [SIGNED_IN(204), { body: { message: "Help" } }],
  // The recipient sends the link's token as an API token.
  "GET /uploads/:name": [[404, 404, 401, 200]],
  "DELETE /api/user/account": [SIGNED_IN(204)],
};

/** The path of a route, whose ids are those of what is named before them. */
function pathOf(route: string, world: World, isAnswered: boolean): string {
  const { owner, envelope, answered, file } = world;
  const {
    contact,
    template,
    bulk,
    series,
    session,
    token,
    webhook,
    delivery,
    invitation,
    attachment,
    destination,
  } = world;
  const ids: Record<string, unknown> = {
    ...{
      contacts: contact,
      templates: template,
      bulk,
      series,
      recipients: 999_999,
      sessions: session,
      tokens: token,
      webhooks: webhook,
    },
    ...{ deliveries: delivery, invitations: invitation, workspaces: owner.workspaceId, members: owner.id },
    attachments: attachment,
    destinations: destination,
    ...{ requests: isAnswered ? answered : envelope.id, submissions: envelope.submissionToken },
    ...{ unsubscribe: envelope.submissionToken, accounts: owner.id, outbox: 1, providers: "google" },
    // None of these exists.
    ...{
      passkeys: 99,
      "set-aside": 1,
      notifications: 999_999,
      answers: 999_999,
      documents: 999_999,
      uploads: "unknown",
    },
  };
  const [, path = ""] = route.split(" ");
  return path === "/uploads/:name"
    ? file
    : path.replace(/([\w-]+)\/:\w+/g, (_, kind) => `${kind}/${ids[kind]}`);
}

const MATRIX = Object.entries(EXPECTED).map(
  ([route, [statuses, { body, bodyOf, queryOf, isAnswered = false } = {}]]): Row => [
    route,
    statuses,
    (world, actor) => ({
      path: pathOf(route, world, isAnswered) + (queryOf?.(world) ?? ""),
      body: bodyOf ? bodyOf(world, actor) : body,
    }),
  ],
);

describeApi(
  "access",
  { variables: { ADMIN_EMAILS: "nobody@example.org", WEBHOOK_ALLOW_PRIVATE: "on" } },
  (api) => {
    let shared: World & { other: SignedUp };
    /** For the calls that each delete something else. */
    let spare: World | undefined;
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
      const attachment = (await owner.post("/api/attachments", attachmentIn(owner.workspaceId))).body.id;
      await api.execute(
        `insert into destinations (workspace_id, kind, name, settings, delivered_when, folder_rule, include_answers, created_at, updated_at)
         values (${owner.workspaceId}, 'webdav', 'NAS', '{"url":"http://127.0.0.1:9/"}', 'submitted', '', 0, '', '')`,
      );
      const [destination] = await api.select("select max(id) as id from destinations");
      return {
        owner,
        destination: destination?.id,
        attachment,
        envelope: await sendEnvelope(owner, {
          documents: [{ name: "Contract", attachments: [attachment] }],
        }),
        contact: (await owner.post("/api/contacts", CONTACT)).body.id,
        bulk: (await owner.post("/api/requests/bulk", { envelope: ENVELOPE, recipients: [ENVELOPE] })).body
          .id,
        series: (await owner.post("/api/series", SERIES)).body.id,
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

    test.each(MATRIX)("%s answers stranger, user, recipient, owner: %j", async (route, statuses, call) => {
      // What nobody may do, or what is not there, needs no other world.
      const ends = ENDING.test(route) && statuses.some((status) => status < 300 || status === 409);
      const endsAll = ends && ENDING_ALL.test(route);
      if (ends) spare ??= await build();
      const world = endsAll ? await build() : ends && spare ? spare : shared;
      const other = endsAll ? await api.signUp() : shared.other;
      const recipient = recipientOf(world.envelope);
      const actors = { stranger: api.anonymous(), other, recipient, owner: world.owner };
      const [method = ""] = route.split(" ");
      const seen: number[] = [];
      for (const [actor, client] of Object.entries(actors)) {
        const { path, body } = call(world, actor);
        seen.push((await client.send(method, path, body)).status);
      }
      expect(seen).toEqual([...statuses]);
    });

    /** What a colleague may not do, of what an owner may; the rest they do like the owner. */
    const FOR_OWNERS =
      /^(?:PATCH|DELETE) .api.workspaces.:id$|retention$|deletion-notice$|members.:userId(?:.links)?$|workspaces.:id.invitations|activity(?:.csv)?$|^(?:POST|DELETE) .api.workspaces.:id.logo$|webhooks.:id|destinations/;
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
        if (ended) team = await buildTeam();
        const isOwners = FOR_OWNERS.test(route);
        // By the member.
        ended = ENDING.test(route) && expected < 300 && !isOwners;
        const { world, ...people } = team;
        const [method = ""] = route.split(" ");
        const as = async (client: Client) => {
          const { path, body } = call(world, "colleague");
          const { workspaceId } = world.owner;
          const sent = route === "POST /api/requests" ? { ...ENVELOPE, workspaceId } : body;
          return (await client.send(method, path, sent)).status;
        };
        expect([route, await as(people.former)]).toEqual([route, 404]);
        expect([route, (await as(people.viewer)) === 403]).toEqual([route, isOwners || !LOOKING.test(route)]);
        expect([route, (await as(people.member)) === 403]).toEqual([route, isOwners]);
        if (!ENDING.test(route))
          expect([route, await as(people.partner)]).not.toBeOneOf(
            [403, 404, 500].filter((status) => status !== expected).map((status) => [route, status]),
          );
      }
    }, 240_000);

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
    }, 240_000);

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
        const sessionOnly =
          /select$|deletion-notice$|reveal$|^(?:POST|PATCH|DELETE) .api.destinations(?:.:id)?$/.test(route);
        const status = async (client: Client) => (await client.send(method, path, body)).status;
        expect([route, await status(outside)]).toEqual([route, sessionOnly ? 403 : 404]);
        if (!ENDING.test(route) && !sessionOnly)
          expect([route, await status(inside)]).not.toBeOneOf(
            [403, 404, 500].filter((other) => other !== expected).map((other) => [route, other]),
          );
      }
    }, 240_000);

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
);

test("the matrix contains exactly the routes of the app", () => {
  const { routes } = createApp({} as Dependencies);
  const served = routes
    .filter(({ method }) => method !== "ALL")
    .map(({ method, path }) => `${method} ${path}`);
  expect([...new Set(served)].sort()).toEqual(MATRIX.map(([route]) => route).sort());
});
