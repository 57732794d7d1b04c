import { sql } from "drizzle-orm";
import type { Database } from "../../../db/client";
import { indexStaleEnvelopes } from "../../../db/queries/search";
import { seedLoad } from "../../../worker/cli/seed/load";
import { type Account, signUp } from "../harness/account";
import type { Instance } from "./instance";

const ACCOUNTS = 100;
const WORKSPACES = 1000;
const TEAM = 50;
/** The share of all envelopes that are in one workspace. */
const LARGE_SHARE = 0.1;
/** Password hashes at once: one for each core. */
const AT_A_TIME = 2;
const CHARACTERS_AT_ONCE = 500_000;

/** The accounts with their workspaces: the first one has the large workspace, and that with 50 members. */
export type Population = { accounts: Account[]; large: number; team: number };

/** Fills an instance with this many envelopes in 1,000 workspaces. */
export async function populate(instance: Instance, envelopes: number): Promise<Population> {
  const accounts: Account[] = [];
  for (let first = 0; first < ACCOUNTS; first += AT_A_TIME)
    accounts.push(
      ...(await Promise.all(
        Array.from({ length: AT_A_TIME }, (_, index) =>
          signUp(instance.url, `person${first + index}@example.com`),
        ),
      )),
    );
  const owned: { userId: number; workspaceId: number }[] = [];
  for (const account of accounts) {
    owned.push({ userId: account.id, workspaceId: account.workspaceId });
    for (let more = 1; more < WORKSPACES / ACCOUNTS; more += 1) {
      const response = await account.send("POST", "/api/workspaces", { name: `Clients ${more}` });
      owned.push({ userId: account.id, workspaceId: (await response.json()).id });
    }
  }
  const [large, team, ...others] = owned;
  const colleague = accounts[1];
  if (!large || !team || !colleague) throw new Error("There are no workspaces");
  await instance.withDatabase(async (db) => {
    await db.run(sql`update users set is_verified = 1, verified_by_owner = 1`);
    await join(db, large.workspaceId, [colleague]);
    await join(db, team.workspaceId, accounts.slice(1, TEAM));
    const now = new Date();
    const inLarge = Math.floor(envelopes * LARGE_SHARE);
    // Two people, because an account may have 100,000 and sends more.
    for (const userId of [large.userId, colleague.id])
      await seedLoad(db, { userId, workspaceId: large.workspaceId }, Math.floor(inLarge / 2), now);
    const each = Math.floor((envelopes - inLarge) / (others.length + 1));
    for (const owner of [team, ...others]) await seedLoad(db, owner, each, now);
    // The files have rows only: as after their retention.
    await db.run(sql`update submissions set deleted_at = ${now.toISOString()}`);
    await db.run(
      sql`update envelopes set files_deleted_at = ${now.toISOString()}, file_bytes = 0 where status = 'completed'`,
    );
    // What is inserted by SQL is indexed later, as after an upgrade; that is not what this measures.
    while ((await indexStaleEnvelopes(db, CHARACTERS_AT_ONCE)) > 0);
  });
  return { accounts, large: large.workspaceId, team: team.workspaceId };
}

async function join(db: Database, workspaceId: number, accounts: readonly Account[]): Promise<void> {
  const ids = JSON.stringify(accounts.map(({ id }) => id));
  await db.run(sql`
    insert into workspace_members (workspace_id, user_id, role, created_at)
    select ${workspaceId}, value, 'member', ${new Date().toISOString()} from json_each(${ids})`);
}
