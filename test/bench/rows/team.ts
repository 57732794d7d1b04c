import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { sql } from "drizzle-orm";
import { openLibsql } from "../../../db/libsql";
import { type Account, addEnvelopes, signUp } from "../harness/account";
import { compare } from "../harness/compare";
import { startApp, withFolder } from "../harness/process";
import { rate } from "../harness/rate";
import type { Row } from "../harness/row";

const ENVELOPES = 100_000;
const MEMBERS = 100;

/** The first page of a large workspace with many members, to whom its envelopes are assigned in turn. */
export const team: Row = () =>
  withFolder(async (folder) => {
    const app = await startApp(folder);
    const [alone, shared] = [
      await signUp(app.url, "alone@example.com"),
      await signUp(app.url, "team@example.com"),
    ];
    for (const account of [alone, shared]) await addEnvelopes(folder, account, ENVELOPES);
    await addMembers(folder, shared);
    const load = ({ workspaceId, cookie }: Account) => ({
      path: `/api/requests?limit=50&workspaceId=${workspaceId}`,
      cookie,
    });
    const measured = await compare(
      5,
      () => rate(app, load(alone)),
      () => rate(app, load(shared)),
    );
    await app.stop();
    return [
      {
        what: `GET /api/requests, 50 of ${ENVELOPES.toLocaleString("en")} rows, ${MEMBERS} members`,
        unit: "ms of processor time",
        value: 1000 / measured.value,
        baseline: { name: "one member", value: 1000 / measured.baseline },
        goal: { of: "ratio", atMost: 1.2 },
      },
    ];
  });

/** Adds members to the account's workspace, and assigns its envelopes to them in turn. */
async function addMembers(folder: string, { id, workspaceId }: Account): Promise<void> {
  const { db, close } = await openLibsql({ url: pathToFileURL(join(folder, "doculopes.db")).href });
  const numbers = `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${MEMBERS - 1})`;
  const statements = [
    `${numbers} insert into users (email, password, first_name, last_name, created_at)
      select 'member' || n || '@example.com', 'none', 'Member', 'Number ' || n, created_at
      from users, numbers where users.id = ${id}`,
    `insert into workspace_members (workspace_id, user_id, role, created_at)
      select ${workspaceId}, id, 'member', created_at from users where email like 'member%'`,
    `update envelopes set user_id = (select id from users where email = 'member' || (1 + envelopes.id % ${MEMBERS - 1}) || '@example.com')
      where user_id = ${id} and workspace_id = ${workspaceId} and id % ${MEMBERS} > 0`,
  ];
  for (const statement of statements) await db.run(sql.raw(statement));
  close();
}
