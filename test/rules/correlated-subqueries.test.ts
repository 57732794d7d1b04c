import { expect, test } from "bun:test";
import { type SQL, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/libsql";
import { bulkSends, envelopes } from "../../db/schema";

const db = drizzle.mock({ casing: "snake_case" });
const rendered = (completed: SQL) => db.select({ completed }).from(bulkSends).toSQL().sql;

// `test/support/preload.ts` applies the rule to every query that a test renders.
test("a query does not select a correlated subquery whose columns would lose their tables", () => {
  const condition = sql`${envelopes.bulkId} = ${bulkSends.id}`;
  expect(rendered(sql`(select count(*) from ${envelopes} where ${condition})`)).toContain(
    `"envelopes"."bulk_id" = "bulk_sends"."id"`,
  );
  expect(() =>
    rendered(sql`(select count(*) from ${envelopes} where ${envelopes.bulkId} = ${bulkSends.id})`),
  ).toThrow("without their tables");
});
