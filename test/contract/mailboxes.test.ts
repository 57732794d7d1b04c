import { expect, test } from "bun:test";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { openLibsql } from "../../db/libsql";
import { mailboxIn } from "../../db/queries/invitations";
import { isEmailAddress } from "../../worker/contract/patterns";
import { mailboxOf } from "../../worker/features/rate-limits/rate-rules";
import { createRandom } from "../support/random";
import { makeFolder } from "../support/temporary-folder";

test("the database and the counters agree on whose mailbox an address is", async () => {
  const random = createRandom(7);
  const text = (characters: string, max: number) =>
    Array.from({ length: 1 + random.below(max) }, () => random.pick([...characters])).join("");
  const made = Array.from({ length: 10_000 }, () => `${text("abc+.'_-{", 12)}@${text("ab-.", 8)}.example`);
  const addresses = ["+@b.example", "+tag@b.example", "a+@b.example", "a++b+@c.d.example", ...made];
  const valid = addresses.filter(isEmailAddress);
  expect(valid.length).toBeGreaterThan(1000);
  const { db, close } = await openLibsql({ url: `file:${join(makeFolder(), "mailboxes.db")}` });
  const rows = await db.all<{ address: string; mailbox: string }>(
    sql`select value as address, ${mailboxIn(sql`value`)} as mailbox from json_each(${JSON.stringify(valid)})`,
  );
  expect(rows).toEqual(valid.map((address) => ({ address, mailbox: mailboxOf(address) })));
  close();
});
