import { expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { CryptoHasher, file } from "bun";
import journal from "../../db/migrations/meta/_journal.json";

const FOLDER = join(import.meta.dir, "../../db/migrations");

/** A merged migration never changes: databases that have run it would differ from new ones. A new one adds its line. */
const LANDED: Record<string, string> = {
  "0000_start": "084b878183930e6c8515a15ed61210a2680c31d7434ed677ae396fbaf8ddcb73",
  "0001_uploads": "ff5a26de95f843f988a0d282c94d386007a0d4cbdf14e0d9fd7f073113dd8f7f",
  "0002_api_tokens": "90e2e76af37f241f11b471c07086fb8293936fb8bef077fae9f6a58d7d7bba06",
  "0003_upload_leases": "0257ad4d0a450e2dfc2b3e0c6758479a318f05801d2b73895a28a40365bcf15c",
  "0004_review": "ccc3a60c5cb2deb16c22f907f7137f66f0d5c126b55c7747251b49200df3b3bb",
  "0005_email_reverts": "945e554a00a031815903cd941a9950ad315d5ac72560303b10b6efb9c9513015",
  "0006_administration": "44bd4b62a37e6140c8612c65c263ef86b42ff97e7d5658d27818cc0245e8182a",
  "0007_envelope_news": "85e6c8be51124550cb13b1e82ad2345df1741eef24be5d4df5738e19b2768055",
  "0008_time_zones": "62597b1330ebc299115098ad2547ec2b04150574cc19eaf3331d503c3ee3c240",
  "0009_idempotency_keys": "c77ce1a9cef55c2d636c8e75a65a38c818c9ecb7ed2f73a4648d721793787892",
  "0010_webhooks": "627115e8830a35d4cf405107a51580612c3519b0ffdb2f08a0c683832c073020",
  "0011_keyed_resources": "4259fd47932b7ddb0c562e12bda8ae41adc80d6fac878dd8ef0cf90729f93ced",
};

/** Statements that keep every row of an older archive readable: it may lack a column or a table. */
const ADDITIVE =
  /^(?:CREATE (?:UNIQUE )?INDEX|DROP INDEX|CREATE TABLE|CREATE TRIGGER|ALTER TABLE `\w+` ADD) /;

const scripts = new Map<string, string>();
for (const name of (await readdir(FOLDER)).filter((name) => name.endsWith(".sql")).sort())
  scripts.set(name.slice(0, -".sql".length), await file(join(FOLDER, name)).text());

test("a merged migration is never changed, and a new one is recorded here", () => {
  const hashes = [...scripts].map(([tag, script]) => [
    tag,
    new CryptoHasher("sha256").update(script).digest("hex"),
  ]);
  expect(Object.fromEntries(hashes)).toEqual(LANDED);
});

test("each migration is in the journal, and later than the one before", () => {
  expect(journal.entries.map(({ tag }) => tag)).toEqual([...scripts.keys()]);
  const times = journal.entries.map(({ when }) => when);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(new Set(times).size).toBe(times.length);
});

test("later migrations only add, so that `restore` reads the archives of earlier versions", () => {
  const [, ...later] = scripts.values();
  const statements = later
    .flatMap((script) => script.split("--> statement-breakpoint"))
    .map((text) => text.trim());
  expect(statements.filter((statement) => !ADDITIVE.test(statement))).toEqual([]);
  const required = statements.filter(
    (text) => /^ALTER TABLE .* NOT NULL/.test(text) && !/ DEFAULT /.test(text),
  );
  expect(required).toEqual([]);
});
