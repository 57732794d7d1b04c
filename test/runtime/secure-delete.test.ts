import { expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { file } from "bun";
import { runBatch } from "../../db/client";
import { openLibsql } from "../../db/libsql";
import { deleteUser } from "../../db/queries/deletions";
import { insertUser } from "../../db/queries/users";
import { insertWorkspace } from "../../db/queries/workspaces";
import { makeFolder } from "../support/temporary-folder";

const AT = "2026-03-14T09:26:53.000Z";

test("deleted data is in neither the database file nor its emptied journal", async () => {
  const folder = makeFolder();
  const url = pathToFileURL(join(folder, "test.db")).href;
  const database = await openLibsql({ url });
  await database.migrate();
  const { db } = database;
  for (const name of ["kept", "gone"])
    await runBatch(db, [insertUser(db, { email: `${name}@example.com`, password: "", createdAt: AT })]);
  const description = "an unmistakable sentence ".repeat(400);
  for (let count = 0; count < 20; count += 1)
    await insertWorkspace(db, 2, { name: "Notes", description, createdAt: AT, updatedAt: AT });
  await runBatch(db, deleteUser(db, 2, AT));
  await database.emptyJournal();

  const names = await readdir(folder);
  const contents = await Promise.all(names.map((name) => file(join(folder, name)).text()));
  expect(names.sort()).toEqual(["test.db", "test.db-shm", "test.db-wal"]);
  expect(contents.join()).toContain("kept@example.com");
  expect(contents.join()).not.toMatch(/gone@example\.com|unmistakable/);
  database.close();
});
