import { beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { file } from "bun";
import { type Api, describeApi, programOf, type SignedUp } from "../support/api/client";
import { linkOf, sendEnvelope } from "../support/api/envelopes";
import { mailedTokens } from "../support/api/mailed-links";
import { inviteTo, joinAs } from "../support/api/team";

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

/** How each right is given. @returns whether it still works */
const RIGHTS = {
  async "session: reads the workspace"({ owner, person }: World): Promise<Probe> {
    const { id } = await sendEnvelope(owner);
    return async () => (await person.get(`/api/requests/${id}`)).status === 200;
  },
  "API token: changes the workspace": (world: World) => writingToken(world, {}),
  "API token limited to the workspace": (world: World) =>
    writingToken(world, { workspaceId: world.owner.workspaceId }),
  async "webhook of the workspace"({ api, owner, person }: World): Promise<Probe> {
    const webhook = { url: "https://hooks.example.com/", events: ["request.deleted"] };
    const { body } = await person.post("/api/webhooks", { ...webhook, workspaceId: owner.workspaceId });
    return async () =>
      (await api.select(`select id from webhooks where id = ${body.id} and enabled = 1`)).length > 0;
  },
  async "sent invitation"({ api, owner, person }: World): Promise<Probe> {
    const inviter = Object.assign(Object.create(person), { workspaceId: owner.workspaceId });
    const token = await inviteTo(api, inviter, `guest${person.id}@example.org`, "member");
    return async () => (await api.anonymous().post("/api/invitations/read", { token })).status === 200;
  },
  async "notices of a watched envelope"({ api, owner, person }: World): Promise<Probe> {
    const { id } = await sendEnvelope(owner);
    await person.post(`/api/requests/${id}/watch`);
    const row = `select user_id from request_watchers where request_id = ${id} and user_id = ${person.id}`;
    return async () => (await api.select(row)).length > 0;
  },
  async "recipient's link, unless it is replaced"({ api, owner, person }: World): Promise<Probe> {
    const envelope = await sendEnvelope(person, { workspaceId: owner.workspaceId });
    return async () => (await api.anonymous().get(linkOf(envelope))).status === 200;
  },
};
type Right = keyof typeof RIGHTS;

const [ends, stays] = ["ends", "stays"] as const;
const row = (...[removed, viewer, disabled, deleted, reset]: ("ends" | "stays")[]) => ({
  ...{ removed, "made a viewer": viewer, "account disabled": disabled },
  ...{ "account deleted": deleted, "password reset": reset },
});

/** A new right does not compile without its row, and SECURITY.md has the same table. */
const TABLE = {
  "session: reads the workspace": row(ends, stays, ends, ends, ends),
  "API token: changes the workspace": row(ends, ends, ends, ends, ends),
  "API token limited to the workspace": row(ends, ends, ends, ends, ends),
  "webhook of the workspace": row(ends, ends, ends, ends, ends),
  "sent invitation": row(ends, ends, ends, ends, ends),
  "notices of a watched envelope": row(ends, stays, stays, ends, stays),
  "recipient's link, unless it is replaced": row(stays, stays, stays, stays, stays),
} satisfies Record<Right, Record<Event, "ends" | "stays" | undefined>>;

async function writingToken({ api, owner, person }: World, more: object): Promise<Probe> {
  const { body } = await person.post("/api/tokens", { name: "Program", scope: "write", ...more });
  const program = programOf(api, body.token);
  const contact = { firstName: "Ada", workspaceId: owner.workspaceId };
  return async () => (await program.post("/api/contacts", contact)).status === 201;
}

describeApi("rights", (api) => {
  let administrator: SignedUp;
  beforeAll(async () => {
    administrator = await api.signUp();
  });

  test.each(Object.keys(EVENTS) as Event[])("end as SECURITY.md says: %s", async (event) => {
    const owner = await api.signUp();
    const world = { api, administrator, owner, person: await joinAs(api, owner, "owner") };
    const probes = new Map<Right, Probe>();
    for (const right of Object.keys(RIGHTS) as Right[]) probes.set(right, await RIGHTS[right](world));
    for (const [right, works] of probes) expect([right, await works()]).toEqual([right, true]);
    expect((await EVENTS[event](world)).status).toBeLessThan(300);
    for (const [right, works] of probes)
      expect([right, (await works()) ? stays : ends]).toEqual([right, TABLE[right][event] ?? ends]);
  });
});

test("SECURITY.md has the same table of rights", async () => {
  const text = await file(join(import.meta.dir, "../../SECURITY.md")).text();
  const lines = [
    ["right", ...Object.keys(EVENTS)],
    ["---", ...Object.keys(EVENTS).map(() => "---")],
    ...Object.entries(TABLE).map(([right, cells]) => [right, ...Object.values(cells)]),
  ];
  expect(text).toContain(lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n"));
});
