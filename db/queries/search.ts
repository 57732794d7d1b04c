import { and, inArray, type SQL, sql } from "drizzle-orm";
import { TITLE_PREFIX } from "../../worker/contract/product";
import type { Database, Statement } from "../client";
import { contacts, envelopeDocuments, envelopes, envelopeTexts } from "../schema";
import { type Member, workspacesOf } from "./members";

/** Combining accents. The index only ignores them in a letter that contains them. */
const MARKS = [0x300, 0x301, 0x302, 0x303, 0x304, 0x306, 0x307, 0x308, 0x30a, 0x30b, 0x30c, 0x327, 0x328];
const SPACES = [9, 10, 11, 12, 13, 0xa0, 0x3000];

const replaced = (codes: readonly number[], by: string, text: SQL) =>
  codes.reduce((value, code) => sql`replace(${value}, ${sql.raw(`char(${code}), '${by}'`)})`, text);
const cleaned = replaced(MARKS, "", replaced(SPACES, " ", sql`value`));

const afterPrefix = sql.raw(String(TITLE_PREFIX.length + 1));
const hasPrefix = sql`substr(${envelopes.title}, 1, ${afterPrefix} - 1) = ${sql.raw(`'${TITLE_PREFIX}'`)}`;
/** Named by the title. */
const recipient = sql`iif(${hasPrefix}, substr(${envelopes.title}, ${afterPrefix}), ${envelopes.title})`;
const contact = sql`(select ${contacts.firstName} || ' ' || ifnull(${contacts.lastName}, '') from ${contacts} where ${contacts.id} = ${envelopes.contactId} and ${contacts.workspaceId} = ${envelopes.workspaceId})`;
const texts = sql<string[]>`(select json_group_array(${cleaned}) from (
  select value from json_each((select json_array(${envelopes.subject}, ${recipient}, ${envelopes.customerEmail}, ${contact}) from ${envelopes} where ${envelopes.id} = ${envelopeTexts.id}))
  union all select ${envelopeDocuments.name} from ${envelopeDocuments} where ${envelopeDocuments.envelopeId} = ${envelopeTexts.id}
) where value <> '')`;

/** More would delay the search; the schedule indexes the rest. */
const STALE_PER_SEARCH = 200;

/** Indexes what has changed in the caller's workspaces. */
export async function indexBeforeSearch(db: Database, member: Member): Promise<void> {
  const mine = inArray(envelopeTexts.workspaceId, workspacesOf(member));
  const [stale] = await db
    .select({ id: envelopeTexts.id })
    .from(envelopeTexts)
    .where(and(sql`${envelopeTexts.stale}`, mine))
    .limit(1);
  if (stale) await indexTexts(db, mine, STALE_PER_SEARCH);
}

/** Indexes envelopes that have changed since they were indexed. @returns how many */
export const indexStaleEnvelopes = (db: Database, limit: number): Promise<number> =>
  indexTexts(db, undefined, limit);

async function indexTexts(db: Database, which: SQL | undefined, limit: number): Promise<number> {
  const { id, stale } = envelopeTexts;
  const chosen = db
    .select({ id })
    .from(envelopeTexts)
    .where(and(sql`${stale}`, which))
    .limit(limit);
  const rows = await db
    .update(envelopeTexts)
    .set({ texts, stale: false })
    .where(inArray(id, chosen))
    .returning({ id });
  return rows.length;
}

/**
 * Merges pages of the index. A deletion only adds a mark to it; what was deleted is erased once all is merged into one
 * segment. @returns whether there is more to merge
 */
export async function mergeSearchIndex(db: Database, pages: number, continues: boolean): Promise<boolean> {
  // A negative number makes the segments that there are now one merge.
  const count = continues ? pages : -pages;
  await db.run(sql`insert into request_search (request_search, rank) values ('merge', ${count})`);
  const [segments] = await db.all<{ several: number | null }>(
    sql`select min(segid) <> max(segid) as several from request_search_idx`,
  );
  return segments?.several === 1;
}

/** The statement that empties the index, after the texts were deleted without their triggers. */
export const emptySearchIndex = (db: Database): Statement =>
  db.run(sql`insert into request_search (request_search) values ('delete-all')`);

/** Stands for the workspace in an expression of `searchExpression`. */
const WORKSPACE = "\u0001";

/**
 * The expression of the full-text index for envelopes that contain each word; null if there is none. What people type
 * is always quoted, so that none of it is syntax.
 */
export function searchExpression(typed: string): string | null {
  const words = new Set(typed.split(/[\s\p{Cc}\p{Cf}]+/u).filter(Boolean));
  const found = [...words].map((word) => `(${[...new Set(spellings(word))].map(phrase).join(" OR ")})`);
  return found.length === 0 ? null : found.join(" AND ");
}

/** As it may be stored: composed, decomposed, and in half or full width, as Japanese texts have Latin letters. */
function spellings(word: string): string[] {
  const compatible = word.normalize("NFKC");
  const wide = /^[!-~]+$/.test(compatible)
    ? [compatible.replace(/./g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0))]
    : [];
  return [word.normalize("NFC"), word.normalize("NFD").replace(/[\u0300-\u036f]/g, ""), compatible, ...wide];
}

/** The parts of the word in order, as the view `request_grams` divides it; of a shorter word, the parts that begin so. */
function phrase(word: string): string {
  const letters = [...word];
  const parts =
    letters.length < 3 ? [word] : letters.slice(2).map((_, at) => letters.slice(at, at + 3).join(""));
  const quoted = parts.map((part) => WORKSPACE + part.replaceAll('"', '""')).join(" ");
  return letters.length < 3 ? `"${quoted}" *` : `"${quoted}"`;
}
