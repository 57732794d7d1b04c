import { Database } from "bun:sqlite";
import { join } from "node:path";
import { type ApiResponse, type Client, createClient } from "../../support/api/client";
import { ENVELOPE } from "../../support/api/envelopes";
import { spawnServer } from "../../support/processes/bun-process";
import { createRandom, type Random } from "../../support/random";
import type { Outcome, RowOptions } from "../row";
import { noAcknowledgements, problemsOfStore } from "../store-check";

const PASSWORD = "long enough";
const NOW = "2026-01-01T00:00:00.000Z";

type Person = { id: number; email: string; at: readonly Client[] };
type Team = {
  db: Database;
  urls: readonly string[];
  workspaceId: number;
  problems: string[];
  random: Random;
};

/**
 * Two servers on one folder. A member is removed while they read and write: nothing that they began after the response
 * has access. Two owners leave, demote each other or delete their accounts at once: the workspace keeps an owner.
 */
export async function memberRaces({ folder, seed, long }: RowOptions): Promise<Outcome> {
  const servers = [0, 1].map(() => spawnServer({ DATA_DIR: folder }));
  const urls = await Promise.all(servers.map(({ url }) => url));
  const db = new Database(join(folder, "doculopes.db"));
  db.run("pragma busy_timeout = 30000");
  const owner = await signUp(urls, "owner@example.com");
  const team = { db, urls, workspaceId: await workspaceOf(owner), problems: [], random: createRandom(seed) };
  const removals = await raceRemovals(team, owner, long ? 1000 : 20);
  const departures = await raceDepartures(team, long ? 200 : 8);
  db.close();
  for (const { child } of servers) child.kill("SIGTERM");
  await Promise.all(servers.map(({ child }) => child.exited));
  const problems: string[] = [...team.problems, ...(await problemsOfStore(folder, noAcknowledgements()))];
  return { measured: { ...removals, ...departures }, problems };
}

/** The account, with a client at each server. */
async function signUp(urls: readonly string[], email: string): Promise<Person> {
  const at = urls.map((origin) => createClient({ fetch: (request) => fetch(request), origin }));
  const { status, body } = await first(at).post("/api/register", { email, password: PASSWORD });
  if (status !== 201) throw new Error(`No account to begin with: ${status}`);
  for (const client of at) client.cookie = first(at).cookie;
  return { id: body.id, email, at };
}

const first = (clients: readonly Client[]) => clients[0] as Client;
const workspaceOf = async ({ at }: Person): Promise<number> =>
  (await first(at).get("/api/workspaces")).body[0].id;

/** Sets a membership as if by an invitation. */
function setRole({ db, workspaceId }: Team, { id }: Person, role: "owner" | "member"): void {
  db.run(
    "insert into workspace_members values (?, ?, ?, ?) on conflict (workspace_id, user_id) do update set role = excluded.role",
    [workspaceId, id, role, NOW],
  );
  db.run("insert into workspace_activity values (null, ?, 'member.joined', ?, '', ?, ?, null)", [
    workspaceId,
    id,
    JSON.stringify({ id }),
    NOW,
  ]);
}

const isAllowed = ({ status }: ApiResponse) => status < 400;

async function raceRemovals(team: Team, owner: Person, rounds: number) {
  const { workspaceId, problems, random } = team;
  const member = await signUp(team.urls, "member@example.com");
  const [boss] = owner.at;
  const contact = (await boss?.post("/api/contacts", { firstName: "Rita", workspaceId }))?.body;
  const measured = { removals: 0, "calls before": 0, "calls after": 0 };
  for (; measured.removals < rounds && problems.length === 0; measured.removals++) {
    setRole(team, member, "member");
    let isRemoved = false;
    const calls: { name: string; call: (client: Client) => Promise<ApiResponse> }[] = [
      { name: "list", call: (client) => client.get(`/api/contacts?workspaceId=${workspaceId}`) },
      { name: "read", call: (client) => client.get(`/api/contacts/${contact.id}`) },
      {
        name: "change",
        call: (client) => client.patch(`/api/contacts/${contact.id}`, { notes: `${measured.removals}` }),
      },
      {
        name: "add",
        call: (client) => client.post("/api/requests", { ...ENVELOPE, isDraft: true, workspaceId }),
      },
    ];
    const work = async (client: Client) => {
      for (let left = 2; left > 0; ) {
        const isLate = isRemoved;
        const { name, call } = random.pick(calls);
        const response = await call(client);
        measured[isLate ? "calls after" : "calls before"] += 1;
        if (isLate) left -= 1;
        if (isLate && isAllowed(response))
          problems.push(`round ${measured.removals}: ${name} ${response.status} after the removal`);
        if (response.status >= 500)
          problems.push(`round ${measured.removals}: ${name} answered ${response.status}`);
      }
    };
    const remove = async () => {
      await Bun.sleep(random.below(8));
      const { status } = (await boss?.delete(`/api/workspaces/${workspaceId}/members/${member.id}`)) ?? {};
      isRemoved = true;
      if (status !== 204) problems.push(`round ${measured.removals}: the removal answered ${status}`);
    };
    await Promise.all([...member.at.map(work), remove()]);
  }
  return measured;
}

const DEPARTURES = ["leave", "demote", "delete"] as const;

async function raceDepartures(team: Team, rounds: number) {
  const { db, random, problems } = team;
  const kept = { departures: 0, "both allowed": 0, "one allowed": 0, "none allowed": 0 };
  let number = 0;
  const newOwner = () => signUp(team.urls, `founder${++number}@example.com`);
  let [one, other] = [await newOwner(), await newOwner()];
  const guest = await signUp(team.urls, "guest@example.com");
  const workspaceId = await workspaceOf(one);
  const shared = { ...team, workspaceId };
  for (; kept.departures < rounds && problems.length === 0; kept.departures++) {
    for (const person of [one, other]) setRole(shared, person, "owner");
    setRole(shared, guest, "member");
    await first(one.at).post("/api/requests", { ...ENVELOPE, isDraft: true, workspaceId });
    const path = `/api/workspaces/${workspaceId}/members`;
    const depart = async (person: Person, from: Person, index: number) => {
      const client = person.at[index] as Client;
      const kind = random.pick(DEPARTURES);
      if (kind === "leave") return client.delete(`${path}/${person.id}`);
      if (kind === "demote") return client.patch(`${path}/${from.id}`, { role: "viewer" });
      return client.delete("/api/user/account");
    };
    const responses = await Promise.all([depart(one, other, 0), depart(other, one, 1)]);
    const gone = responses.filter(isAllowed).length;
    kept[gone === 2 ? "both allowed" : gone === 1 ? "one allowed" : "none allowed"] += 1;
    for (const { status, text } of responses)
      if (status >= 500) problems.push(`round ${kept.departures}: ${status} ${text}`);
    const owners = db
      .query<{ id: number }, [number]>(
        "select user_id as id from workspace_members where workspace_id = ? and role = 'owner'",
      )
      .all(workspaceId);
    if (owners.length === 0) problems.push(`round ${kept.departures}: no owner is left`);
    const exists = (id: number) => db.query("select 1 from users where id = ?").get(id) !== null;
    if (!exists(one.id)) one = await newOwner();
    if (!exists(other.id)) other = await newOwner();
  }
  return kept;
}
