import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Database } from "../../db/client";
import { createApp } from "../../worker/app";
import { type ApiResponse, type Client, createClient } from "../support/api/client";
import { ENVELOPE, form, linkOf } from "../support/api/envelopes";
import { mailedTokens } from "../support/api/mailed-links";
import { pdfFile } from "../support/files/files";
import { startBunRuntime } from "../support/runtime/bun-runtime";

let runtime: Awaited<ReturnType<typeof startBunRuntime>>;
/** Run before each batch. */
let beforeBatch: () => Promise<void>;
let fetch: (request: Request) => Promise<Response>;

beforeAll(async () => {
  runtime = await startBunRuntime({ variables: { WEBHOOK_ALLOW_PRIVATE: "on" } });
  beforeBatch = async () => {};
  const db = new Proxy(runtime.deps.db, {
    get(target, name) {
      if (name !== "batch") return Reflect.get(target, name);
      return async (...given: Parameters<Database["batch"]>) => {
        await beforeBatch();
        return target.batch(...given);
      };
    },
  });
  const app = createApp({ ...runtime.deps, db });
  fetch = async (request) => app.fetch(request, { clientAddress: "203.0.113.1" });
});
afterAll(() => runtime.stop());

type Person = Client & { id: number; email: string; workspaceId: number };

let accounts = 0;

async function signUp(): Promise<Person> {
  const client = createClient({ fetch, origin: runtime.origin });
  accounts += 1;
  const email = `reset${accounts}@example.com`;
  const { body } = await client.post("/api/register", { email, password: "a long password" });
  await runtime.execute(`update users set verified_by_owner = true where id = ${body.id}`);
  const [workspace] = (await client.get("/api/workspaces")).body;
  return Object.assign(client, { id: body.id, email, workspaceId: workspace.id });
}

const LATER = "2026-03-31";
const { recipientName, recipientEmail, ...UNSENT } = ENVELOPE;
const SERIES = {
  ...{ name: "Statements", every: 1, unit: "month", startOn: LATER },
  ...{ envelope: UNSENT, recipients: [{ recipientName, recipientEmail }] },
};

type Case = {
  prepare?: (person: Person) => Promise<{ status: number; body: { id: number } }>;
  call: (person: Person, id: number) => Promise<ApiResponse>;
};

const addWebhook = (person: Person) =>
  person.post("/api/webhooks", { url: "https://127.0.0.1:9/", events: ["request.sent"] });
/** An envelope of which the recipient has handed in the document. */
async function handedIn(person: Person) {
  const created = await person.post("/api/requests", { ...ENVELOPE, documents: [{ name: "Passport" }] });
  const files = form({ Passport: pdfFile("passport.pdf") });
  const client = createClient({ fetch, origin: runtime.origin });
  expect((await client.post(linkOf(created.body), files)).status).toBe(201);
  return created;
}
const series = (person: Person) => person.post("/api/series", SERIES);

/** What somebody else who knows the password may plan. */
const CASES: Record<string, Case> = {
  "creating a series": { call: series },
  "resuming a series": {
    prepare: async (person) => {
      const created = await series(person);
      await person.patch(`/api/series/${created.body.id}`, { paused: true });
      return created;
    },
    call: (person, id) => person.patch(`/api/series/${id}`, { paused: false }),
  },
  "changing a series": {
    prepare: series,
    call: (person, id) => person.patch(`/api/series/${id}`, { paused: false, envelope: UNSENT }),
  },
  "adding recipients to a series": {
    prepare: series,
    call: (person, id) =>
      person.post(`/api/series/${id}/recipients`, {
        recipients: [{ recipientName: "Eve", recipientEmail: "eve@example.com" }],
      }),
  },
  "sending a series now": {
    prepare: series,
    call: (person, id) => person.post(`/api/series/${id}/run`),
  },
  "sending to many later": {
    call: (person) =>
      person.post("/api/requests/bulk", {
        envelope: { ...UNSENT, sendOn: LATER },
        recipients: [{ recipientName, recipientEmail }],
      }),
  },
  "scheduling an envelope": {
    call: (person) => person.post("/api/requests", { ...ENVELOPE, sendOn: LATER }),
  },
  "scheduling a draft": {
    prepare: (person) => person.post("/api/requests", { ...ENVELOPE, isDraft: true }),
    call: (person, id) => person.put(`/api/requests/${id}`, { ...ENVELOPE, sendOn: LATER }),
  },
  "asking for a document again": {
    prepare: handedIn,
    call: async (person, id) => {
      const [document] = await runtime.select(`select id from envelope_documents where envelope_id = ${id}`);
      const change = { validUntil: "2026-06-01", renewDays: 20 };
      return person.patch(`/api/requests/${id}/documents/${document?.id}`, change);
    },
  },
  "going on with renewals": {
    prepare: async (person) => {
      const created = await handedIn(person);
      await runtime.execute(
        `update envelope_documents set valid_until = '2026-06-01', renew_on = '2026-05-01', workspace_id = ${person.workspaceId}, renewal_paused = 1 where envelope_id = ${created.body.id}`,
      );
      return created;
    },
    call: ({ workspaceId, ...person }) => person.post("/api/documents/expiring/resume", { workspaceId }),
  },
  inviting: {
    call: (person) =>
      person.post(`/api/workspaces/${person.workspaceId}/invitations`, {
        email: "eve@example.com",
        role: "owner",
      }),
  },
  "making somebody an owner": {
    prepare: async ({ workspaceId }) => {
      const { id } = await signUp();
      await runtime.execute(
        `insert into workspace_members (workspace_id, user_id, role, created_at) values (${workspaceId}, ${id}, 'member', '2026-03-14T09:26:53.000Z')`,
      );
      return { status: 201, body: { id } };
    },
    call: ({ workspaceId, patch }, id) =>
      patch(`/api/workspaces/${workspaceId}/members/${id}`, { role: "owner" }),
  },
  "switching a webhook on": {
    prepare: async (person) => {
      const created = await addWebhook(person);
      await person.patch(`/api/webhooks/${created.body.id}`, { enabled: false });
      return created;
    },
    call: (person, id) => person.patch(`/api/webhooks/${id}`, { enabled: true }),
  },
  "adding a webhook": { call: addWebhook },
};

/** What would go on without the account's owner. */
async function planned({ id, workspaceId }: Person) {
  const [row] = await runtime.select(
    `select (select count(*) from envelopes where user_id = ${id} and status = 'scheduled') as scheduled,
      (select count(*) from envelopes where user_id = ${id} and status = 'pending') as sent,
      (select count(*) from bulk_recipients join bulk_sends on bulk_sends.id = bulk_id where created_by = ${id} and state = 'waiting') as waiting,
      (select count(*) from series where user_id = ${id} and paused is null) as series,
      (select count(*) from envelope_documents where workspace_id = ${workspaceId} and renew_on is not null and renewal_paused is not 1) as renewals,
      (select count(*) from series_recipients join series on series.id = series_id where user_id = ${id} and recipient like '%eve@%') as recipients,
      (select count(*) from workspace_members where workspace_id = ${workspaceId} and user_id <> ${id} and role = 'owner') as owners,
      (select count(*) from invitations where workspace_id = ${workspaceId}) as invitations,
      (select count(*) from webhooks where user_id = ${id} and enabled) as webhooks`,
  );
  return row;
}

const NOTHING = {
  ...{
    scheduled: 0,
    sent: 0,
    waiting: 0,
    series: 0,
    renewals: 0,
    recipients: 0,
    owners: 0,
    invitations: 0,
    webhooks: 0,
  },
};

type End = (person: Person) => Promise<() => Promise<ApiResponse>>;

const byReset: End = async ({ email }) => {
  const anyone = createClient({ fetch, origin: runtime.origin });
  await anyone.post("/api/password/forgot", { email });
  const [token] = await mailedTokens(runtime, "reset", email);
  return () =>
    anyone.post("/api/password/reset", { token, newPassword: "another password", revokeTokens: true });
};

/** Of an account without a password, whose address somebody has replaced. */
const byRevert: End = async (person) => {
  const other = `other${person.id}@example.com`;
  await runtime.execute(`update users set password = '', is_verified = true where id = ${person.id}`);
  await person.patch("/api/user/profile", { email: other });
  const [token] = await mailedTokens(runtime, "revert-email", person.email);
  const [verification] = await mailedTokens(runtime, "verify", other);
  expect((await person.post("/api/user/verify", { token: verification })).status).toBe(204);
  return () => createClient({ fetch, origin: runtime.origin }).post("/api/user/revert-email", { token });
};

const WITHOUT_PASSWORD = ["creating a series", "sending to many later", "scheduling an envelope", "inviting"];

test.each([
  ...Object.keys(CASES).map((name) => [name, "a reset", byReset] as const),
  ...WITHOUT_PASSWORD.map((name) => [name, "“This wasn't me”", byRevert] as const),
])("%s: %s meanwhile ends it", async (name, _, end) => {
  const { prepare, call } = CASES[name] as Case;
  // The first batches count the call, or are those of a contact.
  for (let at = 1; at <= 4; at++) {
    const person = await signUp();
    const prepared = await prepare?.(person);
    expect(prepared?.status ?? 201).toBe(201);
    await runtime.finishBackgroundWork();
    const ends = await end(person);
    let batch = 0;
    let isReset = false;
    beforeBatch = async () => {
      batch += 1;
      if (batch !== at) return;
      beforeBatch = async () => {};
      isReset = (await ends()).status === 204;
    };
    const { status, body } = await call(person, prepared?.body.id ?? 0);
    beforeBatch = async () => {};
    await runtime.finishBackgroundWork();
    if (!isReset) {
      expect([at > 1, status, body?.code]).toEqual([true, status < 300 ? status : 200, undefined]);
      return;
    }
    expect(await planned(person)).toEqual(NOTHING);
    expect(status).not.toBe(500);
  }
});

test("an invitation by an API token that is revoked meanwhile is rejected", async () => {
  const person = await signUp();
  const program = createClient({ fetch, origin: runtime.origin });
  let isRevoked = true;
  for (let at = 1; isRevoked; at++) {
    const { id, token } = (await person.post("/api/tokens", { name: "Program", scope: "write" })).body;
    let batch = 0;
    isRevoked = false;
    beforeBatch = async () => {
      batch += 1;
      if (batch !== at) return;
      beforeBatch = async () => {};
      isRevoked = (await person.delete(`/api/tokens/${id}`)).status === 204;
    };
    const { status, body } = await program.send(
      "POST",
      `/api/workspaces/${person.workspaceId}/invitations`,
      { email: `eve${at}@example.com`, role: "member" },
      { authorization: `Bearer ${token}` },
    );
    beforeBatch = async () => {};
    expect([at > 1 || isRevoked, isRevoked ? body.code : status]).toEqual([
      true,
      isRevoked ? "account_changed" : 201,
    ]);
  }
});

test("a series that an API token sends now ends with the token", async () => {
  const person = await signUp();
  const recipients = Array.from({ length: 20 }, (_, at) => ({
    recipientName: `R${at}`,
    recipientEmail: `series${at}@example.com`,
  }));
  const { id } = (await person.post("/api/series", { ...SERIES, recipients })).body;
  const created = (await person.post("/api/tokens", { name: "Program", scope: "write" })).body;
  const sent = async () => {
    const rows = await runtime.select(
      `select count(*) as envelopes from envelopes where user_id = ${person.id}`,
    );
    return Number(rows[0]?.envelopes);
  };
  beforeBatch = async () => {
    if ((await sent()) === 0) return;
    beforeBatch = async () => {};
    expect((await person.delete(`/api/tokens/${created.id}`)).status).toBe(204);
  };
  const authorization = { authorization: `Bearer ${created.token}` };
  const program = createClient({ fetch, origin: runtime.origin });
  await program.send("POST", `/api/series/${id}/run`, undefined, authorization);
  await runtime.finishBackgroundWork();
  beforeBatch = async () => {};
  expect(await sent()).toBeWithin(1, 20);
});
