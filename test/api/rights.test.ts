import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { file } from "bun";
import type { TableName } from "../../db/archive/tables";
import { addPasskey, signInByPasskey } from "../support/api/authenticator";
import { type Api, describeApi, programOf, type SignedUp } from "../support/api/client";
import { ENVELOPE, form, linkOf, sendEnvelope } from "../support/api/envelopes";
import { mailedTokens } from "../support/api/mailed-links";
import { inviteTo, joinAs } from "../support/api/team";
import { answer, beginLogin, setUpTotp } from "../support/api/two-factor";
import { largePdfFile } from "../support/files/files";
import { TEST_START } from "../support/runtime/runtime";

setDefaultTimeout(240_000);

/** What somebody is given who owns a workspace beside others; `world` is who takes it away. */
type World = { api: Api; administrator: SignedUp; owner: SignedUp; person: SignedUp };
type Probe = () => Promise<boolean>;

const EVENTS = {
  removed: ({ owner, person }: World) =>
    owner.delete(`/api/workspaces/${owner.workspaceId}/members/${person.id}`),
  "made a viewer": ({ owner, person }: World) =>
    owner.patch(`/api/workspaces/${owner.workspaceId}/members/${person.id}`, { role: "viewer" }),
  "account disabled": ({ administrator, person }: World) =>
    administrator.post(`/api/administration/accounts/${person.id}/disable`),
  "account deleted": ({ person }: World) => person.delete("/api/user/account"),
  "password reset": async ({ api, person }: World) => {
    await api.anonymous().post("/api/password/forgot", { email: person.email });
    const token = (await mailedTokens(api, "reset", person.email)).at(-1);
    return api.anonymous().post("/api/password/reset", { token, newPassword: "another password" });
  },
};
type Event = keyof typeof EVENTS;

const created = async (response: Promise<{ status: number; body: { id: number } }>) => {
  const { status, body } = await response;
  expect(status).toBe(201);
  return body;
};

/** Whether there is a row for an account that may sign in. */
const stored =
  (table: string, which = "true") =>
  async ({ api, person }: World): Promise<Probe> =>
  async () => {
    const account = `join users as person on person.id = ${person.id} and person.disabled_at is null`;
    return (await api.select(`select 1 from ${table} as it ${account} where ${which}`)).length > 0;
  };
const ofPerson = (table: string, more = "true") => stored(table, `it.user_id = person.id and ${more}`);

/** How each right is given. @returns whether it still works */
const RIGHTS = {
  async "session and its open tabs: read the workspace"({ owner, person }: World): Promise<Probe> {
    const { workspaceId } = owner;
    const { id } = await sendEnvelope(owner, { workspaceId });
    const list = `/api/requests?workspaceId=${workspaceId}`;
    const etag = (await person.get(list)).headers.get("etag") ?? "";
    return async () => {
      const { status } = await person.get(`/api/requests/${id}`);
      // A tab must not be told that what it shows is still right.
      if (status !== 200) expect((await person.get(list, { "if-none-match": etag })).status).not.toBe(304);
      return status === 200;
    };
  },
  async "password: signs in"({ api, person }: World): Promise<Probe> {
    return async () => (await api.anonymous().post("/api/login", person)).status === 200;
  },
  async "passkey: signs in"({ api, person }: World): Promise<Probe> {
    const passkey = await addPasskey(person, api.origin);
    let counter = 0;
    return async () => {
      counter += 1;
      return (await signInByPasskey(api.anonymous(), passkey, { counter })).status === 200;
    };
  },
  async "linked provider"(world: World): Promise<Probe> {
    const { api, person } = world;
    await api.execute(
      `insert into identities values ('google', '${person.id}', ${person.id}, '${TEST_START}')`,
    );
    return ofPerson("identities")(world);
  },
  async "operator's sign-in link"(world: World): Promise<Probe> {
    const { api, person } = world;
    const link = `'link ${person.id}', ${person.id}, '${TEST_START}', '2027-01-01'`;
    await api.execute(`insert into sign_in_links values (${link})`);
    return ofPerson("sign_in_links")(world);
  },
  async "changed address that waits for its link"(world: World): Promise<Probe> {
    const { api, person } = world;
    await api.execute(`update users set is_verified = 1 where id = ${person.id}`);
    await person.patch("/api/user/profile", { email: `new${person.id}@example.com` });
    return stored("users", "it.id = person.id and it.pending_email is not null")(world);
  },
  async "reset link"(world: World): Promise<Probe> {
    await world.api.anonymous().post("/api/password/forgot", { email: world.person.email });
    return ofPerson("password_resets")(world);
  },
  "link to undo a change of address": (world: World) => ofPerson("email_reverts")(world),
  "API token: changes the workspace": (world: World) => writingToken(world, {}),
  "API token limited to the workspace": (world: World) =>
    writingToken(world, { workspaceId: world.owner.workspaceId }),
  async "Idempotency-Key: repeats a response with its link"({ owner, person }: World): Promise<Probe> {
    const body = { ...ENVELOPE, workspaceId: owner.workspaceId };
    return async () => {
      const response = await person.send("POST", "/api/requests", body, { "Idempotency-Key": "again" });
      return response.status === 201 && response.body.submissionToken !== null;
    };
  },
  async "webhook of the workspace"({ api, owner, person }: World): Promise<Probe> {
    const { id } = await created(person.post("/api/webhooks", hook({ workspaceId: owner.workspaceId })));
    return enabled(api, id);
  },
  async "webhook of somebody else whose secret they were shown"({
    api,
    owner,
    person,
  }: World): Promise<Probe> {
    const { id } = await created(owner.post("/api/webhooks", hook({ workspaceId: owner.workspaceId })));
    expect((await person.post(`/api/webhooks/${id}/rotate`)).status).toBe(200);
    return enabled(api, id);
  },
  async "webhook of the workspace, saved or its secret replaced by a colleague"({
    api,
    owner,
    person,
  }: World): Promise<Probe> {
    const { workspaceId } = owner;
    const { id } = await created(person.post("/api/webhooks", hook({ workspaceId })));
    const other = await created(person.post("/api/webhooks", hook({ workspaceId })));
    expect((await owner.post(`/api/webhooks/${id}/rotate`)).status).toBe(200);
    expect((await owner.patch(`/api/webhooks/${other.id}`, { ...hook({}), enabled: true })).status).toBe(200);
    return async () => {
      const on = await api.select(`select 1 from webhooks where id in (${id}, ${other.id}) and enabled = 1`);
      expect(on.length).not.toBe(1);
      return on.length === 2;
    };
  },
  async "webhook of the account: tells of the workspace"({ api, owner, person }: World): Promise<Probe> {
    const { id } = await created(person.post("/api/webhooks", hook({})));
    return async () => {
      const count = `select count(*) as count from webhook_deliveries where webhook_id = ${id}`;
      const [before] = await api.select(count);
      const envelope = await sendEnvelope(owner, { isDraft: true });
      await owner.delete(`/api/requests/${envelope.id}`);
      const [after] = await api.select(count);
      const isHeld = await api.select(
        `select 1 from users where id = ${person.id} and disabled_at is not null`,
      );
      return Number(after?.count) > Number(before?.count) && isHeld.length === 0;
    };
  },
  async "sent invitation"({ api, owner, person }: World): Promise<Probe> {
    const inviter = Object.assign(Object.create(person), { workspaceId: owner.workspaceId });
    const token = await inviteTo(api, inviter, `guest${person.id}@example.org`, "member");
    return async () => (await api.anonymous().post("/api/invitations/read", { token })).status === 200;
  },
  async "a colleague's invitation, changed by them"({ api, owner, person }: World): Promise<Probe> {
    const token = await inviteTo(api, owner, `colleague${person.id}@example.org`, "viewer");
    const path = `/api/workspaces/${owner.workspaceId}`;
    const { invitations } = (await owner.get(`${path}/members`)).body;
    const changed = await person.patch(`${path}/invitations/${invitations[0].id}`, { role: "owner" });
    expect(changed.body.role).toBe("owner");
    return async () => (await api.anonymous().post("/api/invitations/read", { token })).status === 200;
  },
  async "administrator's invitation"({ api, person }: World): Promise<Probe> {
    await api.execute(`update users set is_administrator = 1 where id = ${person.id}`);
    const email = `new${person.id}@example.org`;
    await created(person.post("/api/administration/invitations", { email }));
    const token = (await mailedTokens(api, "invite", email)).at(-1);
    return async () => (await api.anonymous().post("/api/invitations/read", { token })).status === 200;
  },
  async "notices of a watched envelope"({ api, owner, person }: World): Promise<Probe> {
    const { id } = await sendEnvelope(owner);
    await person.post(`/api/requests/${id}/watch`);
    const row = `select user_id from envelope_watchers where envelope_id = ${id} and user_id = ${person.id}`;
    return async () => (await api.select(row)).length > 0;
  },
  async "scheduled envelope, under whom it is assigned to then"({
    api,
    owner,
    person,
  }: World): Promise<Probe> {
    const { workspaceId } = owner;
    const { id } = await sendEnvelope(person, { workspaceId, sendOn: "2026-12-01" });
    const row = `select id from envelopes where id = ${id} and status = 'scheduled'`;
    return async () => (await api.select(row)).length > 0;
  },
  async "what a colleague has planned, changed by them"({ api, owner, person }: World): Promise<Probe> {
    const { workspaceId } = owner;
    const { id } = await sendEnvelope(owner, { workspaceId, sendOn: "2026-12-01" });
    const series = (await owner.post("/api/series", seriesIn(workspaceId))).body;
    const changed = { ...ENVELOPE, workspaceId, sendOn: "2026-12-02", assigneeId: owner.id };
    expect((await person.put(`/api/requests/${id}`, changed)).status).toBe(200);
    expect((await person.patch(`/api/series/${series.id}`, { name: "Weekly" })).status).toBe(200);
    return async () => {
      const planned = await api.select(
        `select 1 from envelopes where id = ${id} and status = 'scheduled'
          union all select 1 from series where id = ${series.id} and paused is null`,
      );
      expect(planned.length).not.toBe(1);
      return planned.length === 2;
    };
  },
  async "file destination that they connected"({ api, owner, person }: World): Promise<Probe> {
    const columns =
      "workspace_id, kind, name, delivered_when, folder_rule, include_answers, created_at, updated_at, connected_by";
    const values = `${owner.workspaceId}, 'webdav', 'NAS', 'submitted', '', 0, '${TEST_START}', '${TEST_START}', ${person.id}`;
    await api.execute(`insert into destinations (${columns}) values (${values})`);
    const isOn = `select id from destinations where connected_by = ${person.id} and state = 'active'`;
    return async () => (await api.select(isOn)).length > 0;
  },
  async "bulk send under way"({ api, owner, person }: World): Promise<Probe> {
    const recipients = [{ recipientName: "Rita", recipientEmail: "rita@example.com" }];
    const { workspaceId } = owner;
    const { documents, subject } = ENVELOPE;
    const sent = await person.post("/api/requests/bulk", {
      envelope: { documents, subject, workspaceId },
      recipients,
    });
    expect(sent.status).toBe(202);
    await api.finishBackgroundWork();
    const { id } = sent.body;
    // As if the process had stopped before it came to a second recipient.
    const [row] = await api.select(`select envelope from bulk_sends where id = ${id}`);
    expect(row?.envelope).toBeNull();
    const common = JSON.stringify({
      ...{ subject, documents: [], message: null, workspaceId },
      ...AS_CHECKED,
    });
    await api.execute(
      `update bulk_sends set total = 2, finished_at = null, envelope = '${common}' where id = ${id}`,
    );
    const second = JSON.stringify({ ...recipients[0], countryCode: "+1", contact: null });
    await api.execute(`insert into bulk_recipients values (${id}, 1, 'waiting', '${second}', null, null)`);
    let begun = false;
    return async () => {
      if (begun) await api.runJobs();
      begun = true;
      const states = await api.select(
        `select state from bulk_recipients where bulk_id = ${id} order by position`,
      );
      expect(states[0]).toEqual({ state: "created" });
      return states[1]?.state !== "failed";
    };
  },
  async "recurring request"({ api, owner, person }: World): Promise<Probe> {
    const { body } = await person.post("/api/series", seriesIn(owner.workspaceId));
    const isOn = `select id from series where id = ${body.id} and paused is null and due_at is not null`;
    return async () => (await api.select(isOn)).length > 0;
  },
  "export under way": (world: World) => download(world, "/api/user/export"),
  "archive under way": (world: World) => download(world, "/api/requests/files.zip?ids="),
  async "recipient's link, unless it is replaced"({ api, owner, person }: World): Promise<Probe> {
    const envelope = await sendEnvelope(person, { workspaceId: owner.workspaceId });
    return async () => (await api.anonymous().get(linkOf(envelope))).status === 200;
  },
};

/** Those of an account that has an authenticator app. */
const WITH_APP = {
  "authenticator app": (world: World) => ofPerson("totp", "it.sealed_secret is not null")(world),
  "recovery codes": (world: World) => ofPerson("recovery_codes", "it.used_at is null")(world),
  async "passkey beside an app"({ api, person }: World): Promise<Probe> {
    const passkey = await addPasskey(person, api.origin);
    return async () => (await signInByPasskey(api.anonymous(), passkey)).status === 200;
  },
};

/** Further ones of such an account: the first two end with a change of its factors. */
const BEHIND_APP = {
  async "second step of a sign-in"({ api, person }: World): Promise<Probe> {
    const client = api.anonymous();
    const challenge = await beginLogin(client, person);
    return async () => (await answer(client, challenge, { code: "12345" })).body.code === "invalid_code";
  },
  async "remembered device"(world: World): Promise<Probe> {
    const { api, person } = world;
    const device = `'device ${person.id}', ${person.id}, '', '${TEST_START}', '${TEST_START}', '2027-01-01'`;
    await api.execute(`insert into remembered_devices values (${device})`);
    return ofPerson("remembered_devices")(world);
  },
  async "verification link"(world: World): Promise<Probe> {
    const { api, person } = world;
    await api.execute(`update users set verification_token = 'link' where id = ${person.id}`);
    return stored("users", "it.id = person.id and it.verification_token is not null")(world);
  },
};
type Right = keyof typeof RIGHTS | keyof typeof WITH_APP | keyof typeof BEHIND_APP;

const seriesIn = (workspaceId: number) => ({
  ...{ name: "Monthly", every: 1, unit: "month", startOn: "2026-05-01", workspaceId },
  ...{ envelope: { documents: ENVELOPE.documents, subject: ENVELOPE.subject }, recipients: [ENVELOPE] },
});

const hook = (more: object) => ({ url: "http://127.0.0.1:9/", events: ["request.deleted"], ...more });
const enabled =
  (api: Api, id: number): Probe =>
  async () =>
    (await api.select(`select id from webhooks where id = ${id} and enabled = 1`)).length > 0;

/** What a bulk send stores of an envelope beside its texts. */
const AS_CHECKED = { reminderFrequency: "none", notificationPreference: "email", expirationDate: null };

async function writingToken({ api, owner, person }: World, more: object): Promise<Probe> {
  const { body } = await person.post("/api/tokens", { name: "Program", scope: "write", ...more });
  const program = programOf(api, body.token);
  const contact = { firstName: "Ada", workspaceId: owner.workspaceId };
  return async () => (await program.post("/api/contacts", contact)).status === 201;
}

/** More than what the connection buffers. */
const LARGE = 24_000_000;

/** The first call reads the beginning of a download, the second the rest of it. */
async function download({ api, owner, person }: World, path: string): Promise<Probe> {
  const { workspaceId } = owner;
  const pdf = { name: "Contract", allowedFileTypes: ["pdf"] };
  const envelope = await sendEnvelope(owner, { workspaceId, documents: [pdf] });
  const files = form({ Contract: largePdfFile(LARGE) });
  expect((await api.anonymous().post(linkOf(envelope), files)).status).toBe(201);
  const url = `${api.origin}${path}${path.endsWith("=") ? envelope.id : ""}`;
  const { status, body } = await api.fetch(new Request(url, { headers: { cookie: person.cookie } }));
  expect(status).toBe(200);
  const reader = body?.getReader();
  let isComplete: boolean | undefined;
  return async () => {
    if (isComplete === undefined) isComplete = (await reader?.read())?.done;
    else
      while (!isComplete) {
        const read = await reader?.read().catch(() => null);
        if (!read) return false;
        isComplete = read.done;
      }
    return true;
  };
}

type Cell = "ends" | "stays" | "until enabled";
const [ends, stays, paused] = ["ends", "stays", "until enabled"] as const;
const row = (...[removed, viewer, disabled, deleted, reset]: [Cell, Cell, Cell, Cell, Cell]) => ({
  ...{ removed, "made a viewer": viewer, "account disabled": disabled },
  ...{ "account deleted": deleted, "password reset": reset },
});

/** A new right does not compile without its row, and SECURITY.md has the same table. */
const TABLE = {
  "session and its open tabs: read the workspace": row(ends, stays, ends, ends, ends),
  "password: signs in": row(stays, stays, paused, ends, ends),
  "passkey: signs in": row(stays, stays, paused, ends, ends),
  "linked provider": row(stays, stays, paused, ends, ends),
  "reset link": row(stays, stays, ends, ends, ends),
  "operator's sign-in link": row(stays, stays, ends, ends, ends),
  "changed address that waits for its link": row(stays, stays, paused, ends, ends),
  "link to undo a change of address": row(stays, stays, paused, ends, stays),
  "API token: changes the workspace": row(ends, ends, ends, ends, ends),
  "API token limited to the workspace": row(ends, ends, ends, ends, ends),
  "Idempotency-Key: repeats a response with its link": row(ends, ends, ends, ends, ends),
  "webhook of the workspace": row(ends, ends, ends, ends, ends),
  "webhook of somebody else whose secret they were shown": row(ends, ends, ends, ends, ends),
  "webhook of the workspace, saved or its secret replaced by a colleague": row(ends, ends, ends, ends, ends),
  "webhook of the account: tells of the workspace": row(ends, ends, paused, ends, ends),
  "sent invitation": row(ends, ends, ends, ends, ends),
  "a colleague's invitation, changed by them": row(ends, ends, ends, ends, ends),
  "administrator's invitation": row(stays, stays, ends, ends, ends),
  "notices of a watched envelope": row(ends, stays, stays, ends, stays),
  "bulk send under way": row(ends, ends, ends, ends, ends),
  "recurring request": row(ends, ends, ends, ends, ends),
  "scheduled envelope, under whom it is assigned to then": row(stays, stays, stays, stays, ends),
  "what a colleague has planned, changed by them": row(stays, stays, stays, stays, ends),
  "file destination that they connected": row(stays, stays, stays, stays, ends),
  "export under way": row(ends, ends, ends, ends, ends),
  "archive under way": row(ends, stays, ends, ends, ends),
  "recipient's link, unless it is replaced": row(stays, stays, stays, stays, stays),
  "authenticator app": row(stays, stays, paused, ends, stays),
  "recovery codes": row(stays, stays, paused, ends, stays),
  "passkey beside an app": row(stays, stays, paused, ends, stays),
  "second step of a sign-in": row(stays, stays, paused, ends, ends),
  "remembered device": row(stays, stays, paused, ends, ends),
  "verification link": row(stays, stays, paused, ends, ends),
} satisfies Record<Right, Record<Event, Cell>>;

const NONE: Right[] = [];

/** Which rights each table holds. A new table does not compile without its entry: what somebody can do by its rows has a row above. */
const HELD_BY = {
  users: ["password: signs in", "changed address that waits for its link", "verification link"],
  sessions: ["session and its open tabs: read the workspace", "export under way", "archive under way"],
  passkeys: ["passkey: signs in", "passkey beside an app"],
  identities: ["linked provider"],
  totp: ["authenticator app"],
  recoveryCodes: ["recovery codes"],
  rememberedDevices: ["remembered device"],
  challenges: ["second step of a sign-in"],
  passwordResets: ["reset link"],
  signInLinks: ["operator's sign-in link"],
  emailReverts: ["link to undo a change of address"],
  apiTokens: ["API token: changes the workspace", "API token limited to the workspace"],
  idempotencyKeys: ["Idempotency-Key: repeats a response with its link"],
  webhooks: [
    "webhook of the workspace",
    "webhook of somebody else whose secret they were shown",
    "webhook of the workspace, saved or its secret replaced by a colleague",
  ],
  webhookDeliveries: ["webhook of the account: tells of the workspace"],
  invitations: ["sent invitation", "a colleague's invitation, changed by them", "administrator's invitation"],
  workspaceMembers: ["session and its open tabs: read the workspace"],
  envelopeWatchers: ["notices of a watched envelope"],
  bulkSends: ["bulk send under way"],
  bulkRecipients: ["bulk send under way"],
  series: ["recurring request", "what a colleague has planned, changed by them"],
  seriesRecipients: ["recurring request"],
  seriesOccurrences: NONE,
  envelopes: [
    "recipient's link, unless it is replaced",
    "scheduled envelope, under whom it is assigned to then",
    "what a colleague has planned, changed by them",
  ],
  // By a removal or demotion itself: test/api/restored-owners.test.ts.
  ownerReverts: NONE,
  // The recipient's: test/api/links.test.ts and test/api/unsubscribe.test.ts.
  replacedLinks: NONE,
  dueLinks: NONE,
  uploads: NONE,
  uploadLeases: NONE,
  unsubscribeLinks: NONE,
  // Contents of workspaces, which membership opens.
  workspaces: NONE,
  contacts: NONE,
  templates: NONE,
  templateUses: NONE,
  integrations: NONE,
  envelopeDocuments: NONE,
  // A document is asked for again in the name of whoever its envelope is assigned to then.
  renewals: NONE,
  envelopeTexts: NONE,
  renamedContacts: NONE,
  submissions: NONE,
  answers: NONE,
  attachments: NONE,
  attachmentUses: NONE,
  // What has happened or is to happen.
  notifications: NONE,
  envelopeEvents: NONE,
  scheduleNews: NONE,
  workspaceActivity: NONE,
  auditEntries: NONE,
  signIns: NONE,
  formerUsers: NONE,
  destinations: ["file destination that they connected"],
  destinationFolders: NONE,
  fileDeliveries: NONE,
  webhookCursors: NONE,
  webhookSnapshots: NONE,
  webhookSnapshotParts: NONE,
  fileDeletions: NONE,
  rateLimits: NONE,
  jobRuns: NONE,
  instance: NONE,
} satisfies Record<TableName, Right[]>;

test("each right is held by a table", () => {
  expect(new Set(Object.values(HELD_BY).flat())).toEqual(new Set(Object.keys(TABLE) as Right[]));
});

describeApi("rights", { maxFileMb: 40, variables: { WEBHOOK_ALLOW_PRIVATE: "on" } }, (api) => {
  let administrator: SignedUp;
  beforeAll(async () => {
    administrator = await api.signUp();
  });

  test.each(Object.keys(EVENTS) as Event[])("end as SECURITY.md says: %s", async (event) => {
    for (const rights of [RIGHTS, { ...WITH_APP, ...BEHIND_APP }]) {
      await api.setClock(TEST_START);
      await administrator.post("/api/login", administrator);
      const owner = await api.signUp();
      const world = { api, administrator, owner, person: await joinAs(api, owner, "owner") };
      const hasApp = "authenticator app" in rights;
      if (hasApp) await setUpTotp(world.person);
      const probes = new Map<Right, Probe>();
      for (const [right, give] of Object.entries(rights)) probes.set(right as Right, await give(world));
      for (const [right, works] of probes) expect([right, await works()]).toEqual([right, true]);
      expect((await EVENTS[event](world)).status).toBeLessThan(300);
      await api.setClock(SOON);
      const found = new Map<Right, Cell>();
      for (const [right, works] of probes) found.set(right, (await works()) ? stays : ends);
      if (event === "account disabled") {
        await administrator.post(`/api/administration/accounts/${world.person.id}/enable`);
        for (const [right, works] of probes)
          if (found.get(right) === ends && (await works())) found.set(right, paused);
      }
      const expected = Object.entries(rights).map(([right]) => [right, TABLE[right as Right][event]]);
      expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
    }
  });
});

const SOON = new Date(Date.parse(TEST_START) + 60_000).toISOString();

test("SECURITY.md has the same table of rights", async () => {
  const text = await file(join(import.meta.dir, "../../SECURITY.md")).text();
  const lines = [
    ["right", ...Object.keys(EVENTS)],
    ["---", ...Object.keys(EVENTS).map(() => "---")],
    ...Object.entries(TABLE).map(([right, cells]) => [right, ...Object.values(cells)]),
    // test/system/backup.test.ts
    ["any that an older backup has", ...Object.keys(EVENTS).map(() => "comes back")],
  ];
  expect(text).toContain(lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n"));
});
