import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Database } from "../../db/client";
import { createApp } from "../../worker/app";
import type { Role } from "../../worker/contract/options";
import { type ApiResponse, type Client, createClient } from "../support/api/client";
import { ENVELOPE, form, linkOf, sendEnvelope } from "../support/api/envelopes";
import { mailedTokens } from "../support/api/mailed-links";
import { pdfFile, pngFile } from "../support/files/files";
import { startBunRuntime } from "../support/runtime/bun-runtime";
import { startWebdavServer } from "../support/servers/webdav-server";

let runtime: Awaited<ReturnType<typeof startBunRuntime>>;
/** Run before and after each batch. */
let beforeBatch: () => Promise<void>;
let afterBatch: () => Promise<void>;
let fetch: (request: Request) => Promise<Response>;
const dav = startWebdavServer();

beforeAll(async () => {
  runtime = await startBunRuntime({ variables: { WEBHOOK_ALLOW_PRIVATE: "on" } });
  beforeBatch = async () => {};
  afterBatch = async () => {};
  const db = new Proxy(runtime.deps.db, {
    get(target, name) {
      if (name !== "batch") return Reflect.get(target, name);
      return async (...given: Parameters<Database["batch"]>) => {
        await beforeBatch();
        const results = await target.batch(...given);
        await afterBatch();
        return results;
      };
    },
  });
  const app = createApp({ ...runtime.deps, db });
  fetch = async (request) => app.fetch(request, { clientAddress: "203.0.113.1" });
});
afterAll(async () => {
  await dav.stop();
  await runtime.stop();
});

type Person = Client & { id: number; email: string };
type Scene = { bob: Person; owner: Person; workspaceId: number };

let accounts = 0;

async function signUp(): Promise<Person> {
  const client = createClient({ fetch, origin: runtime.origin });
  accounts += 1;
  const email = `removed${accounts}@example.com`;
  const { body } = await client.post("/api/register", { email, password: "a long password" });
  await runtime.execute(`update users set verified_by_owner = true where id = ${body.id}`);
  return Object.assign(client, { id: body.id, email });
}

async function inviteTo({ owner, workspaceId }: Omit<Scene, "bob">, email: string, role: Role) {
  const path = `/api/workspaces/${workspaceId}/invitations`;
  expect((await owner.post(path, { email, role })).status).toBe(201);
  return (await mailedTokens(runtime, "invite", email)).at(-1);
}

/** Bob's call, after whose first batch he is no member any more. */
async function callAndRemove({ bob, workspaceId }: Scene, call: () => Promise<ApiResponse>) {
  await runtime.finishBackgroundWork();
  afterBatch = async () => {
    await runtime.execute(
      `delete from workspace_members where user_id = ${bob.id} and workspace_id = ${workspaceId}`,
    );
  };
  const response = await call();
  afterBatch = async () => {};
  expect((await bob.get(`/api/workspaces/${workspaceId}/members`)).status).toBe(404);
  return response;
}

type Case = {
  role?: Role;
  prepare?: (scene: Scene) => Promise<number>;
  call: (scene: Scene, id: number) => Promise<ApiResponse>;
  status?: number;
  body: object;
};

const send = async ({ owner, workspaceId }: Scene) => (await sendEnvelope(owner, { workspaceId })).id;
const complete = async ({ owner, workspaceId }: Scene) => {
  const envelope = await sendEnvelope(owner, { workspaceId });
  const recipient = createClient({ fetch, origin: runtime.origin });
  expect((await recipient.post(linkOf(envelope), form({ Contract: pdfFile() }))).status).toBe(201);
  return envelope.id;
};
const addWebhook = async ({ owner, workspaceId }: Scene) => {
  const webhook = { url: "https://127.0.0.1:9/", events: ["request.sent"], workspaceId };
  return (await owner.post("/api/webhooks", webhook)).body.id;
};
const destination = () => ({
  ...{ kind: "webdav", name: "Nextcloud", settings: { url: dav.url } },
  credentials: { user: "office", password: "s:ecret ü" },
});
const pathOf = ({ workspaceId }: Scene) => `/api/workspaces/${workspaceId}`;

const CASES: Record<string, Case> = {
  "creating an envelope": {
    call: ({ bob, workspaceId }) => bob.post("/api/requests", { ...ENVELOPE, workspaceId }),
    status: 201,
    body: { status: "pending", subject: ENVELOPE.subject },
  },
  "replacing an envelope": {
    prepare: send,
    call: ({ bob, workspaceId }, id) =>
      bob.put(`/api/requests/${id}`, { ...ENVELOPE, workspaceId, subject: "Another" }),
    body: { status: "pending", subject: "Another" },
  },
  "assigning an envelope": {
    prepare: send,
    call: ({ bob }, id) => bob.patch(`/api/requests/${id}`, { assigneeId: bob.id }),
    body: { assignee: { firstName: null } },
  },
  "reviewing an envelope": {
    prepare: complete,
    call: async ({ bob }, id) => {
      const [document] = await runtime.select(`select id from envelope_documents where envelope_id = ${id}`);
      return bob.post(`/api/requests/${id}/review`, { accept: [document?.id] });
    },
    body: { review: { toReview: 0, accepted: 1, returned: 0 } },
  },
  "replacing a link": {
    prepare: send,
    call: ({ bob }, id) => bob.post(`/api/requests/${id}/link`),
    body: { status: "pending" },
  },
  "sending to many": {
    call: ({ bob, workspaceId }) => {
      const { recipientName, recipientEmail, ...envelope } = ENVELOPE;
      const recipients = [{ recipientName, recipientEmail }];
      return bob.post("/api/requests/bulk", { envelope: { ...envelope, workspaceId }, recipients });
    },
    status: 202,
    body: { total: 1 },
  },
  "deleting an envelope": {
    prepare: send,
    call: ({ bob }, id) => bob.delete(`/api/requests/${id}`),
    status: 204,
    body: {},
  },
  "reminding a recipient": {
    prepare: send,
    call: ({ bob }, id) => bob.post(`/api/requests/${id}/remind`),
    status: 201,
    body: [{ kind: "reminder", status: "queued" }],
  },
  "sending a message again": {
    prepare: send,
    call: async ({ bob }, id) => {
      const [sent] = await runtime.select(`select id from notifications where envelope_id = ${id}`);
      return bob.post(`/api/requests/${id}/notifications/${sent?.id}/retry`);
    },
    body: { kind: "invitation", status: "queued" },
  },
  "no longer watching an envelope": {
    prepare: async (scene) => {
      const id = await send(scene);
      expect((await scene.bob.post(`/api/requests/${id}/watch`)).status).toBe(204);
      return id;
    },
    call: ({ bob }, id) => bob.delete(`/api/requests/${id}/watch`),
    status: 204,
    body: {},
  },
  "creating a contact": {
    call: ({ bob, workspaceId }) => bob.post("/api/contacts", { firstName: "Ada", workspaceId }),
    status: 201,
    body: { firstName: "Ada" },
  },
  "importing contacts": {
    call: ({ bob, workspaceId }) =>
      bob.post("/api/contacts/bulk", { contacts: [{ firstName: "Ada" }], match: "none", workspaceId }),
    status: 201,
    body: { created: 1 },
  },
  "creating a template": {
    call: ({ bob, workspaceId }) =>
      bob.post("/api/templates", { name: "Taxes", fields: [{ name: "Payslip" }], workspaceId }),
    status: 201,
    body: { name: "Taxes" },
  },
  "changing a workspace": {
    role: "owner",
    call: (scene) => scene.bob.patch(pathOf(scene), { name: "Holm" }),
    body: { name: "Holm" },
  },
  "changing the logo of a workspace": {
    role: "owner",
    call: (scene) => scene.bob.post(`${pathOf(scene)}/logo`, form({ logo: pngFile() })),
    body: { logo: { width: expect.any(Number) } },
  },
  "inviting somebody": {
    role: "owner",
    call: (scene) =>
      scene.bob.post(`${pathOf(scene)}/invitations`, { email: "carol@example.com", role: "viewer" }),
    status: 201,
    body: { email: "carol@example.com" },
  },
  "changing the role of an invitation": {
    role: "owner",
    prepare: async (scene) => {
      await inviteTo(scene, "dora@example.com", "viewer");
      const [invitation] = await runtime.select("select max(id) as id from invitations");
      return Number(invitation?.id);
    },
    call: (scene, id) => scene.bob.patch(`${pathOf(scene)}/invitations/${id}`, { role: "member" }),
    body: { role: "member" },
  },
  "changing a template": {
    prepare: async ({ owner, workspaceId }) =>
      (await owner.post("/api/templates", { name: "Taxes", fields: [{ name: "Payslip" }], workspaceId })).body
        .id,
    call: ({ bob, workspaceId }, id) =>
      bob.put(`/api/templates/${id}`, { name: "Tax", fields: [{ name: "Payslip" }], workspaceId }),
    body: { name: "Tax" },
  },
  "changing a role": {
    role: "owner",
    prepare: async (scene) => {
      const carol = await signUp();
      const token = await inviteTo(scene, carol.email, "viewer");
      expect((await carol.post("/api/invitations/join", { token })).status).toBe(200);
      return carol.id;
    },
    call: (scene, id) => scene.bob.patch(`${pathOf(scene)}/members/${id}`, { role: "member" }),
    body: { role: "member" },
  },
  "connecting a file destination": {
    role: "owner",
    call: ({ bob, workspaceId }) => bob.post("/api/destinations", { ...destination(), workspaceId }),
    status: 201,
    body: { name: "Nextcloud", waiting: 0 },
  },
  "changing a file destination": {
    role: "owner",
    prepare: async ({ owner, workspaceId }) =>
      (await owner.post("/api/destinations", { ...destination(), workspaceId })).body.id,
    call: ({ bob }, id) => bob.patch(`/api/destinations/${id}`, { name: "Cloud" }),
    body: { name: "Cloud", waiting: 0 },
  },
  "creating a webhook": {
    role: "owner",
    call: ({ bob, workspaceId }) =>
      bob.post("/api/webhooks", { url: "https://127.0.0.1:9/", events: ["request.sent"], workspaceId }),
    status: 201,
    body: { events: ["request.sent"] },
  },
  "switching a webhook off": {
    role: "owner",
    prepare: addWebhook,
    call: ({ bob }, id) => bob.patch(`/api/webhooks/${id}`, { enabled: false, description: "Off" }),
    body: { enabled: false, description: "Off" },
  },
  "testing a webhook": {
    role: "owner",
    prepare: addWebhook,
    call: ({ bob }, id) => bob.post(`/api/webhooks/${id}/test`),
    status: 201,
    body: { event: "webhook.test" },
  },
};

async function sceneWith(role: Role): Promise<Scene> {
  const owner = await signUp();
  const workspaceId: number = (await owner.get("/api/workspaces")).body[0].id;
  const bob = await signUp();
  const token = await inviteTo({ owner, workspaceId }, bob.email, role);
  expect((await bob.post("/api/invitations/join", { token })).status).toBe(200);
  return { owner, bob, workspaceId };
}

/** The role that does not allow it any more. */
const LESS = { owner: "role = 'member'", member: "role = 'viewer'", viewer: "role = 'viewer'" };
const LOSSES = {
  removed: ({ bob, workspaceId }: Scene) =>
    `delete from workspace_members where user_id = ${bob.id} and workspace_id = ${workspaceId}`,
  demoted: ({ bob, workspaceId }: Scene, role: Role) =>
    `update workspace_members set ${LESS[role]} where user_id = ${bob.id} and workspace_id = ${workspaceId}`,
};
const losses = Object.keys(LOSSES) as (keyof typeof LOSSES)[];

describe.each(losses)("whoever is %s between the checks and the write", (loss) => {
  test.each(Object.entries(CASES))("is rejected: %s", async (name, { role = "member", prepare, call }) => {
    const scene = await sceneWith(role);
    const id = (await prepare?.(scene)) ?? 0;
    await runtime.finishBackgroundWork();
    beforeBatch = () => runtime.execute(LOSSES[loss](scene, role));
    const { status } = await call(scene, id);
    beforeBatch = async () => {};
    // Viewers watch too.
    const mayStill = loss === "demoted" && name === "no longer watching an envelope";
    expect(status).toBeOneOf(mayStill ? [204] : [403, 404, 409]);
  });
});

/** Of an envelope, by its id and that of its document. */
const OF_ENVELOPE: Record<
  string,
  { prepare?: Case["prepare"]; path: string; input?: (id: number) => object }
> = {
  "replacing a link": { path: "/link" },
  "reminding a recipient": { path: "/remind" },
  reviewing: {
    prepare: complete,
    path: "/review",
    input: (documentId) => ({ return: [{ documentId, reason: "Blurry" }] }),
  },
};

test.each(Object.entries(OF_ENVELOPE))(
  "%s beside the deletion of the assignee's account is a conflict, and changes nothing",
  async (_, { prepare = send, path, input }) => {
    const scene = await sceneWith("member");
    const id = await prepare(scene);
    const [document] = await runtime.select(`select id from envelope_documents where envelope_id = ${id}`);
    const assigned = await scene.owner.patch(`/api/requests/${id}`, { assigneeId: scene.bob.id });
    expect(assigned.status).toBe(200);
    await runtime.finishBackgroundWork();
    const stored = "submission_token, to_review, next_reminder_at, e.updated_at, d.review";
    const rows = () =>
      runtime.select(
        `select ${stored} from envelopes as e join envelope_documents as d on d.envelope_id = e.id where e.id = ${id}`,
      );
    const before = await rows();
    beforeBatch = async () => {
      beforeBatch = async () => {};
      await runtime.execute(`update envelopes set user_id = ${scene.owner.id} where id = ${id}`);
      await runtime.execute(`delete from users where id = ${scene.bob.id}`);
    };
    const call = () => scene.owner.post(`/api/requests/${id}${path}`, input?.(Number(document?.id)));
    const { status, body } = await call();
    expect([status, body.code]).toEqual([409, "envelope_changed"]);
    expect(await rows()).toEqual(before);
    expect((await call()).status).toBeOneOf([200, 201]);
  },
);

test.each(Object.entries(CASES))(
  "%s has its response from the batch that writes, although the caller was removed right after",
  async (_, { role = "member", prepare, call, status = 200, body }) => {
    const scene = await sceneWith(role);
    const id = (await prepare?.(scene)) ?? 0;
    const response = await callAndRemove(scene, () => call(scene, id));
    expect([response.status, response.body ?? {}]).toMatchObject([status, body]);
  },
);

const { recipientName, recipientEmail, ...SHARED } = ENVELOPE;
const RECIPIENTS = [{ recipientName, recipientEmail }];
const addSeries = async ({ bob, owner, workspaceId }: Scene, assignee = owner) => {
  const created = await bob.post("/api/series", {
    ...{ name: "Statements", every: 1, unit: "month", startOn: "2026-03-31", recipients: RECIPIENTS },
    ...{ workspaceId, envelope: { ...SHARED, workspaceId, assigneeId: assignee.id } },
  });
  expect(created.status).toBe(201);
  return `/api/series/${created.body.id}`;
};

/** Whose response is read after the batch that writes. */
const SERIES_CALLS: Record<string, (bob: Person, path: string) => Promise<ApiResponse>> = {
  "changing a series": (bob, path) => bob.patch(path, { name: "Another" }),
  "adding recipients to a series": (bob, path) => bob.post(`${path}/recipients`, { recipients: RECIPIENTS }),
  "leaving out an occurrence": (bob, path) => bob.post(`${path}/skip`),
  "sending a series now": (bob, path) => bob.post(`${path}/run`),
  "deleting a series": (bob, path) => bob.delete(path),
};

describe.each(losses)("whoever is %s between the checks and the write of a series", (loss) => {
  test.each(Object.entries(SERIES_CALLS))("is rejected: %s", async (_, call) => {
    const scene = await sceneWith("member");
    const path = await addSeries(scene);
    await runtime.finishBackgroundWork();
    beforeBatch = () => runtime.execute(LOSSES[loss](scene, "member"));
    const { status } = await call(scene.bob, path);
    beforeBatch = async () => {};
    expect(status).toBeOneOf([403, 404, 409]);
  });
});

test("a series that is changed while its account is removed goes on under its assignee", async () => {
  let isRemoved = true;
  for (let at = 1; isRemoved; at++) {
    const scene = await sceneWith("member");
    const { owner, bob } = scene;
    const path = await addSeries(scene);
    await runtime.finishBackgroundWork();
    let batch = 0;
    isRemoved = false;
    beforeBatch = async () => {
      batch += 1;
      if (batch !== at) return;
      beforeBatch = async () => {};
      isRemoved = (await owner.delete(`${pathOf(scene)}/members/${bob.id}`)).status === 204;
    };
    const changed = await owner.patch(path, { name: "Another" });
    beforeBatch = async () => {};
    expect([changed.status, changed.body.name]).toEqual([200, "Another"]);
    const rows = await runtime.select(`select user_id, paused from series where id = ${changed.body.id}`);
    expect([at, rows]).toEqual([at, [{ user_id: isRemoved ? owner.id : bob.id, paused: null }]]);
  }
});

test("a link that opens again is not the one that somebody knows who is removed at the same moment", async () => {
  const scene = await sceneWith("member");
  const { owner, bob } = scene;
  const id = await complete(scene);
  const known = (await bob.get(`/api/requests/${id}`)).body;
  const review = () =>
    owner.post(`/api/requests/${id}/review`, {
      return: [{ documentId: known.documents[0].id, reason: "Blurred" }],
    });
  beforeBatch = async () => {
    beforeBatch = async () => {};
    expect((await owner.delete(`${pathOf(scene)}/members/${bob.id}`)).status).toBe(204);
  };
  const { status, body } = await review();
  expect([status, body.code]).toEqual([409, "envelope_changed"]);
  const again = await review();
  expect(again.status).toBe(200);
  expect(again.body.submissionToken).not.toBe(known.submissionToken);
});

test("joining a workspace has its response from the batch that writes, too", async () => {
  const owner = await signUp();
  const [{ id: workspaceId, name }] = (await owner.get("/api/workspaces")).body;
  const bob = await signUp();
  const token = await inviteTo({ owner, workspaceId }, bob.email, "viewer");
  const scene = { owner, bob, workspaceId };
  const { status, body } = await callAndRemove(scene, () => bob.post("/api/invitations/join", { token }));
  expect([status, body]).toMatchObject([200, { id: workspaceId, name, role: "viewer" }]);
});

test("an authenticator app that is set up while the session ends is stored for nobody", async () => {
  const bob = await signUp();
  beforeBatch = () => runtime.execute(`delete from sessions where user_id = ${bob.id}`);
  const { status } = await bob.post("/api/two-factor/totp");
  beforeBatch = async () => {};
  expect([status, await runtime.select("select user_id from totp")]).toEqual([401, []]);
});
