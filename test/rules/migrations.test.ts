import { expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { CryptoHasher, file } from "bun";
import journal from "../../db/migrations/meta/_journal.json";

const FOLDER = join(import.meta.dir, "../../db/migrations");

/**
 * A released migration never changes: databases that have run it would differ from new ones. A new one adds its line. Until
 * 0.2.0 is released, 0001 may change.
 */
const LANDED: Record<string, string> = {
  "0000_start": "084b878183930e6c8515a15ed61210a2680c31d7434ed677ae396fbaf8ddcb73",
  "0001_version_0_2": "f053ea3a0cf848780adb52adabe8e5a82bb4846e60d3f18f73bb910a4f4f42a0",
  "0002_renamed_contacts": "825c6f9184eaa275d1aa2462c84ef2040e8123f002ecf4329390c31efcb062ff",
  "0003_who_gets_in": "af27a4b8255c23c11c374cfba13cf3ac089c36284bb7199cee6d355cf535553e",
  "0004_search_blocks": "b52575f669471a098867b77edd1dcd93224dd9646a0e45417d8e0333348382de",
  "0005_bulk_tokens": "de842dce91bb16f86b25b525c7cbcd73d21e325cde83b2e1390e8ebd1fe7489a",
  "0006_quotas_of_workspaces": "1347cab295fb971edb29e50ca32a1f9637f2bf9b2e1a24073db81609fba9e5b2",
  "0007_bytes_of_files": "49050781175a0a7689c45f5fd79b234c12adaffa05a20bf518b51146df3a8bb3",
  "0008_opened_files": "8bf683bb1425ae79e651dc6d98ef42df80882fb02a80ab09f2a1fc05322122dc",
  "0009_tags_of_contacts": "cb702faafdb36e5f1c0d875ca1b38e4001b2f2b66f1a6ad51ec13afb0fc372c4",
  "0010_open_requests_of_contacts": "ad0dce302739907cc8222abb9084182d550efc92d4f03aeca2b970383af7b587",
  "0011_digests": "bb7d7690330dbafefdbc271249e6edb1176fabad4766af38a8d1ded79fdceeeb",
  "0012_plates_of_logos": "b3accf42b17a67e03e85b613978f06556a1c31801a73cd01e18736194f1c2500",
  "0013_details_of_activity": "e08ec24960cbfdcc2e58046723797590922235afd5fb379af27ea824ce21c931",
  "0014_questions": "57af5a6837cb9b78015b5268a214f318e5bf6d48b54c5c82f022c86be2225799",
  "0015_attachments": "659d9e31fda50e54e5c03ade7433b6b04bf38056ac47d9aa6eb9bc63b009fd9c",
  "0016_schedules": "f4c4b981112cdaa53fff00803791080d628cfe8c123743d579b6ea01c816b13a",
  "0017_series": "d2ee004aed89fd3d71777d693728206a47d5509877da59779d97943f87fdb9a7",
  "0018_destinations": "f4c4dd78f314c22ffb7304c8209bd5a7dfa52d6e0132e6269c9b5e96e44f93e0",
  "0019_documents_that_expire": "1afa2baa2f2e877a615d96efa1d0ee7f004f065976f96f06993818e274613018",
  "0020_series_attachments": "6cb55a09c6481a011b7537ec093cbd47750e483315e78a0d7cb0f6dc8a46a0e6",
  "0021_scheduled_in_workspaces": "732d5799136acd41be52e6c1ba356d02b21b6f06a7903ebffe100f477307ce17",
  "0022_names_of_documents": "a6e7e63dcb195b42d2260318b6e249f66e2377ab572dff994b9807284c940dfa",
  "0023_keys_of_documents": "2d83db89d157eaac76e46c97d59a97801e62ee0f036637ae7b6748a7d7a6cee1",
  "0024_left_workspaces": "ef72dad8c9615afedccfc8565a3df588da5221e06f6e280a4440dc27916f689a",
  "0025_undelivered_envelopes": "b19ab4124d186747eaf1fc6110712ec479fc6f04ef9ea45bac30e56a480f780d",
  "0026_scheduled_by_account": "45c8e9b0bdd33b4d82e6e5234231a98fa6faf81bcfe5826e86b920d403db6a8d",
  "0027_announced_envelopes": "317f08cc113d9d3d5d7baa4d3a998360c75990c5222e2fb1eb286bf3e22a8c34",
  "0028_envelope_recipient_since": "bbd17bc571b8a53376226215eac4411303586507dfa6540583b3f21e486540f9",
  "0029_next_deliveries": "2c4cda1e180de4a04e25cd665b3ca7da9223793f15147d8b67ddaeda7ed01cab",
  "0030_lists_and_imports": "6cfafcfce065535d581d5444339f41ea10bb1f03c41777fac74455ff7760cc16",
  "0031_moved_events": "6ce35d685eda06a2181a5d4820923fd17714ba6569b02c7f9e34c7744267248e",
  "0032_parts_of_snapshots": "b66ef28641e5f7aef182b7440a80fda3b497ccd071f8bc5125eaf97997044507",
};

/**
 * Statements that keep every row of an older archive readable: it may lack a column or a table. A trigger is dropped only
 * where it is created again.
 */
const ADDITIVE =
  /^(?:CREATE (?:UNIQUE )?INDEX|DROP INDEX|CREATE TABLE|CREATE VIRTUAL TABLE|CREATE VIEW|CREATE TRIGGER|DROP VIEW|ALTER TABLE `\w+` ADD|UPDATE `\w+` SET|INSERT INTO `\w+`(?:\(`\w+`\))? SELECT) /;
/** 0001 renames what 0.1.0 wrote, whose archives are of another format. */
const RENAME = /^ALTER TABLE `\w+` RENAME /;

/** Those that would make rows of an older archive unreadable. */
function destructive(script: string, allowed = ADDITIVE): string[] {
  const statements = script
    .split("--> statement-breakpoint")
    .map((text) => text.replace(/^--.*$/gm, "").trim());
  return statements.filter((statement, at) => {
    if (/^ALTER TABLE .* NOT NULL/.test(statement) && !/ DEFAULT /.test(statement)) return true;
    const dropped = /^DROP TRIGGER (`\w+`)/.exec(statement)?.[1];
    const isReplaced = statements.slice(at).some((later) => later.startsWith(`CREATE TRIGGER ${dropped} `));
    return !(dropped ? isReplaced : allowed.test(statement));
  });
}

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

test("only the latest snapshot is stored, because `drizzle-kit generate` compares the schema with no other", async () => {
  const files = (await readdir(join(FOLDER, "meta"))).filter((name) => name.endsWith("_snapshot.json"));
  const latest = journal.entries.at(-1)?.tag.slice(0, "0000".length);
  expect(files).toEqual([`${latest}_snapshot.json`]);
});

test("later migrations only add, so that `restore` reads the archives of earlier versions", () => {
  const [, second = "", ...later] = scripts.values();
  expect(destructive(second, new RegExp(`${ADDITIVE.source}|${RENAME.source}`))).toEqual([]);
  expect(later.flatMap((script) => destructive(script))).toEqual([]);
});

test.each([
  "DROP TABLE `users`;",
  "ALTER TABLE `users` DROP COLUMN `email`;",
  "ALTER TABLE `users` RENAME TO `accounts`;",
  "ALTER TABLE `users` ADD `name` text NOT NULL;",
  "DELETE FROM `users`;",
  "DROP TRIGGER `users_second_factor`;",
])("a migration may not say %s", (statement) => {
  expect(destructive(statement)).toEqual([statement]);
});

test("a migration may replace a trigger", () => {
  const created = "CREATE TRIGGER `a` AFTER DELETE ON `users` BEGIN SELECT 1; END;";
  expect(destructive(`DROP TRIGGER \`a\`;--> statement-breakpoint\n${created}`)).toEqual([]);
});
