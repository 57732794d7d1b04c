import { expect, test } from "bun:test";
import { findInstanceId } from "../../db/queries/instance";
import { createDiskFileStore } from "../../worker/adapters/bun/files/disk-file-store";
import { requireOwnStore } from "../../worker/features/files/store-owner";
import { openMigrated } from "../support/runtime/migrated";
import { makeFolder } from "../support/temporary-folder";

test("a server may start while another one gives database and store their id", async () => {
  const { db, close } = await openMigrated();
  const files = await createDiskFileStore(makeFolder());
  const readOwner = async () => {
    await requireOwnStore({ db, files });
    return files.readOwner();
  };
  await requireOwnStore({ db, files: { ...files, readOwner } });
  expect(await findInstanceId(db)).toBe(await files.readOwner());
  close();
});
