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
  "0012_pending_emails": "1e502e2400139f11be5dfb54cc1482a84c0ffd8bd2a10ef6b78b7eb4714dc19a",
  "0013_shares_of_deliveries": "fe3b8d530e3b66b9b23ceb5c3d7cf1cd7ba2d0655b899b47a8b503f7e87b61b3",
  "0014_record_administrator": "bfcd1027e502f4a3f81b4c047e60426efca9687baa24c1f6cd3c51316ef55f0b",
  "0015_unsubscribe_links": "ff9809241c5c873232123c4f03532a420dfc7c316d313bbffe184bbd7a3b6f41",
  "0016_instance_id": "5a70bdb13302d91c03c5fccb60d3bf75c4e843384be336bc31e01d3a17169c33",
  "0017_scan_failure": "72198476162941df79fb54e4b2ff568d69edd307c534dcf6ad21488cf391f3d7",
  "0018_deletion_notices": "5e99695e40c4c69535ffce7517e7572869dd1668e387567d3b349b1207744405",
  "0019_delivery": "7e3cc9addf58a592dae45fc1c54bdbcf179ab8edd0c8e845c5a3940bf327ce50",
  "0020_workspace_members": "02dd939d6b8a65770299a4fa7d397dfe56598f25454682e32c97d08bbf8aed04",
  "0021_reason_allowed": "f555c4d546828155fe8a6ee88259cecda9383749862a3fa388f82ff160c00b26",
  "0022_shared_workspaces": "a30003547aa016dcd37aea38d2fd91d12a173b9a15d61cd0cd8810bee08d461c",
  "0023_proven_reverts": "56faf6b708c561267eb7737ca47ba79e5348c6fe3924843e93cc56957d29b05f",
  "0024_members_at_work": "c0fc700d040e73e84a3a0298d8de369b0e968b6923b1dad23ae95ce9c167c93c",
  "0025_default_file_types": "28d0b84d35dd339772a1bf6061707cb474b42d8a67b9695fa1f3701405c30d3f",
  "0026_contact_envelopes": "1f04432ac71cb5bff2bbe6f045ea4fcb118bc789c38215d69631a81ab463e965",
  "0027_updated_by": "b6fc8a0419417c35b68fcf0f8dc3c2d7f55f2d7799baf11c3ea73cc3dd740da7",
  "0028_assignment": "0185244f710ffe915c0fdfdf57dc793391b002851378f5e881419483e593fc4e",
  "0029_api_token_workspace": "6f3b3855f0b4469a27df60bab9f95bc4f739635aa6302a480d1d742b4cacd4a2",
  "0030_sign_ins": "bb448cd3e693099c29667db7ce2ac9de66f00f2d8667346649977848c9af6ff4",
  "0031_sending": "072368524644e502113f7186c69047ef327338d19a1777e7c32b346a72a451fa",
  "0032_second_factor": "216ac7eac7efdfb804f22447f5c039c64779d134ab89299bdcf4bba8618d6d84",
  "0033_bulk_sends": "75178215d97c9a2149858d87b802ad32806c9180b93e08313effdc90f597e0c2",
  "0034_own_links": "18753eb007c7eaef64edbe195d35a7f0eae3ec17216495c35f1f971202d08998",
  "0035_unconfirmed_totp": "ca7b9e772d31385cb02c64eb18a57ee47deb15557f054bec6b2bf0f0b41b13e6",
  "0036_passkey_host": "8ef396ea074199c6a66e4f6f0dd9ccbdb377e4fabd7b4bddc38232f86e643b5d",
  "0037_search": "8653682ede09a8a78ba964a519d17e0a857585e19b9191cef6c400f7185e66ba",
  "0038_envelope_versions": "0b8387264225961ab1ad8bc14085a0b61c4ede047bad3d4b85890110ddfe253e",
  "0039_list_versions": "afa691e23b99c7bf472e693207c0d4412b8d265c9ac06f3a9b3ecf10495009cc",
  "0040_deleted_accounts": "34c00cb30b245e4d5fdf8a83cc17931fb5ae0839b43c98d61521f524a07ad0ea",
  "0041_deleted_workspaces": "c7b4b5ece5ffb38b8e8eea18d6fd851ac3510a5863447f3a48f8e0d19260db33",
  "0042_verified_reverts": "a3b8b3dccda98ebe1a6db24bb78fe4be10e19944b91e7eedf41c1d7610f9f345",
  "0043_token_invitations": "2da417ac767fae82f8abeb9a4f45ed7c8d95eedf69a930ce7318cbc4dfadf69e",
  "0044_short_words": "b2e84b74fefd8c049fafe7f5e9ace743c7a81eb8a78b8173fd9d21696957330c",
  "0045_replaced_links": "9747f6f3cf239c5b02b2b4cdd8c1356db31e216f3eb36d3c14daa53b346687d7",
  "0046_provider_confirmations": "23fbd2a2c035b4d465f7fcb7c78f01364b9f3ab07302609dcf92d1760def14c2",
  "0047_due_links": "6c91cd7e1e2d1c38f0fbcb11995a9369312f6ed758bf95abe477f4d2bdd180f5",
  "0048_earlier_instances": "79ac2bf1c56890fdd4f8a87aaadf6119f850236cf4224b448e964f692a0e63fd",
  "0049_owner_reverts": "bcb062ac9123e0df73f46513f6dda40b16c208db48c3a3b077cb2713609cf0f3",
  "0050_set_aside": "fe5dc2348d9fc32fdaf0e02ac5cd887e5c46a759ae445cca542d7e992fb17245",
  "0051_webhook_makers": "59d0c830682f85b6b06b3959620961ab59c61ea1e189c44e32de337d238c68d0",
};

/**
 * Statements that keep every row of an older archive readable: it may lack a column or a table. What an UPDATE or INSERT
 * fills in, an import fills in too.
 */
const ADDITIVE =
  /^(?:CREATE (?:UNIQUE )?INDEX|DROP INDEX|CREATE TABLE|CREATE VIRTUAL TABLE|CREATE VIEW|CREATE TRIGGER|DROP VIEW|DROP TRIGGER|ALTER TABLE `\w+` ADD|UPDATE `\w+` SET|INSERT INTO `\w+`(?:\(`\w+`\))? SELECT) /;

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
