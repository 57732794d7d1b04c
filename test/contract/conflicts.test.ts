import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { type Conflict, conflictOf } from "../../db/errors";
import { type LibsqlDatabase, openLibsql } from "../../db/libsql";
import { insertUser, isEmailTaken } from "../../db/queries/users";
import { type Rejection, rejectionOf } from "../support/runtime/rejection";
import { startInstance } from "../support/runtime/workerd";
import { startSqld } from "../support/servers/sqld";
import { makeFolder } from "../support/temporary-folder";

setDefaultTimeout(240_000);

const AT = "2026-03-14T09:26:53.000Z";
const USER = `insert into "users" (id, email, password, created_at) values (1, 'ada@example.com', '', '${AT}')`;
const WORKSPACE = `insert into "workspaces" (id, name, user_id, created_at, updated_at) values (1, 'A', 1, '${AT}', '${AT}')`;
const CHECKED = "create table checked (amount integer constraint positive_amount check (amount > 0))";

const unique: Conflict = { kind: "unique", table: "users", columns: ["email"] };
const identity: Conflict = { kind: "unique", table: "identities", columns: ["provider", "subject"] };
const notNull: Conflict = { kind: "not null", table: "workspaces", columns: ["created_at"] };
const check: Conflict = { kind: "check", table: null, columns: ["positive_amount"] };
const orphan = `insert into "workspaces" (name, user_id, created_at, updated_at) values ('B', 99, '${AT}', '${AT}')`;
const linked = `insert into "identities" (provider, subject, user_id, created_at) values ('google', '7', 1, '${AT}')`;
const undated = `insert into "workspaces" (name, user_id, updated_at) values ('B', 1, '${AT}')`;

const REJECTIONS: [name: string, statements: string[], conflict: Conflict][] = [
  ["a value that another row has", [USER.replace("(1,", "(2,")], unique],
  ["the same in a batch", [CHECKED.replace("checked", "other"), USER.replace("(1,", "(2,")], unique],
  ["two columns that another row has", [linked, linked], identity],
  ["a missing value", [undated], notNull],
  ["the same in a batch", [`update "users" set password = 'x'`, undated], notNull],
  ["a value that a check rejects", ["insert into checked values (0)"], check],
  ["a reference to no row", [orphan], { kind: "foreign key", table: "workspaces", columns: [] }],
  ["the same in a batch", [WORKSPACE, orphan], { kind: "foreign key", table: null, columns: [] }],
];

/** The statements of one database. */
type RunStatements = (statements: string[]) => Promise<Rejection>;

const opened: { close(): unknown }[] = [];
afterAll(async () => {
  for (const database of opened) await database.close();
});

async function libsql(url: string): Promise<LibsqlDatabase> {
  const database = await openLibsql({ url });
  opened.unshift(database);
  await database.migrate();
  return database;
}

async function prepared({ db }: LibsqlDatabase): Promise<RunStatements> {
  for (const statement of [USER, CHECKED]) await db.run(statement);
  return (statements) => rejectionOf(db, statements);
}

const DATABASES: Record<string, () => Promise<RunStatements>> = {
  "libSQL in a file": async () => prepared(await libsql(`file:${join(makeFolder(), "test.db")}`)),
  "libSQL over HTTP": async () => {
    const server = await startSqld(makeFolder());
    opened.push({ close: server.stop });
    return prepared(await libsql(server.url));
  },
  D1: async () => {
    const { command } = await startInstance();
    for (const statement of [USER, CHECKED]) await command("execute", statement);
    return (statements) => command("conflict", JSON.stringify(statements));
  },
};

for (const [name, open] of Object.entries(DATABASES))
  describe(`a conflict in ${name}`, () => {
    let running: Promise<RunStatements> | undefined;

    test.each(REJECTIONS)("%s is reported with its table and columns", async (_, statements, conflict) => {
      running ??= open();
      const run = await running;
      expect(await run(statements)).toEqual({ conflict, code: "internal" });
    });
  });

test("a parameter that looks like an error text is not mistaken for one", async () => {
  const { db } = await libsql(`file:${join(makeFolder(), "test.db")}`);
  const email = "UNIQUE constraint failed: users.email";
  await db.run(USER);
  const rejected = insertUser(db, { id: 1, email, password: "SQLITE_BUSY", createdAt: AT });
  const error = await Promise.resolve(rejected).catch((reason: unknown) => reason);
  expect(String(error)).toContain(email);
  expect(conflictOf(error)).toEqual({ kind: "unique", table: "users", columns: ["id"] });
  expect(isEmailTaken(error)).toBe(false);
});
