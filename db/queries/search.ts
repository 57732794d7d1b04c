import { type AnyColumn, and, inArray, type Placeholder, type SQL, sql } from "drizzle-orm";
import { TITLE_PREFIX } from "../../worker/contract/product";
import {
  FOLDED_LETTERS,
  foldLetters,
  searchedWords,
  spellingsOf,
} from "../../worker/contract/searched-words";
import { type Database, runBatchAndRead, type Statement } from "../client";
import { contacts, envelopeDocuments, envelopes, envelopeTexts, renamedContacts } from "../schema";
import { type Member, workspacesOf } from "./members";

/** Combining accents. The index only ignores them in a letter that contains them. */
const MARKS = [0x300, 0x301, 0x302, 0x303, 0x304, 0x306, 0x307, 0x308, 0x30a, 0x30b, 0x30c, 0x327, 0x328];
const SPACES = [9, 10, 11, 12, 13, 0xa0, 0x3000];

const replacements: readonly (readonly [string, string])[] = [
  ...SPACES.map((code) => [`char(${code})`, " "] as const),
  ...MARKS.map((code) => [`char(${code})`, ""] as const),
  ...Object.entries(FOLDED_LETTERS).map(([letter, folded]) => [`'${letter}'`, folded] as const),
];
/** SQLite's parser does not nest many more calls. */
const CALLS_PER_SELECT = 16;

/** The rows of `from` with `value` as it is indexed. */
function cleaned(from: SQL): SQL {
  let rows = from;
  for (let at = 0; at < replacements.length; at += CALLS_PER_SELECT) {
    const calls = replacements
      .slice(at, at + CALLS_PER_SELECT)
      .reduce(
        (value, [found, by]) => sql`replace(${value}, ${sql.raw(`${found}, '${by.replace("'", "''")}'`)})`,
        sql`value`,
      );
    rows = sql`select ${calls} as value from (${rows})`;
  }
  return rows;
}

const afterPrefix = sql.raw(String(TITLE_PREFIX.length + 1));
/** The recipient, whom the title names; NULL if there is none. */
export const recipientOf = ({ title }: { title: AnyColumn }) =>
  sql`nullif(trim(iif(substr(${title}, 1, ${afterPrefix} - 1) = ${sql.raw(`'${TITLE_PREFIX}'`)}, substr(${title}, ${afterPrefix}), ${title})), '')`;

/** In which columns a search finds words: see "Searchable fields" in CONTRIBUTING. */
export const SEARCHED_COLUMNS = {
  envelopes: ["subject", "title", "customerEmail"],
  contacts: ["firstName", "lastName"],
  envelopeDocuments: ["name"],
} as const satisfies Record<string, readonly string[]>;

const ofEnvelope = SEARCHED_COLUMNS.envelopes.map((name) =>
  name === "title" ? recipientOf(envelopes) : envelopes[name],
);
const ofContact = SEARCHED_COLUMNS.contacts.map((name) => sql`ifnull(${contacts[name]}, '')`);
const contact = sql`(select ${sql.join(ofContact, sql` || ' ' || `)} from ${contacts} where ${contacts.id} = ${envelopes.contactId} and ${contacts.workspaceId} = ${envelopes.workspaceId})`;
const ofDocuments = SEARCHED_COLUMNS.envelopeDocuments.map(
  (name) =>
    sql`union all select ${envelopeDocuments.position}, ${envelopeDocuments[name]} from ${envelopeDocuments} where ${envelopeDocuments.envelopeId} = ${envelopeTexts.id}`,
);
/**
 * Of an envelope, what exceeds this is not indexed: a hundred documents with long names would cost more than all that its
 * workspace usually has.
 */
const INDEXED_CHARACTERS = 4000;
const indexed = sql.raw(String(INDEXED_CHARACTERS));
const chosenTexts = sql`select value from (
  select value, sum(length(value)) over (order by at rows unbounded preceding) as characters from (
    select key - ${sql.raw(String(ofEnvelope.length + 1))} as at, value
    from json_each((select json_array(${sql.join([...ofEnvelope, contact], sql`, `)}) from ${envelopes} where ${envelopes.id} = ${envelopeTexts.id}))
    ${sql.join(ofDocuments, sql` `)}
  ) where value <> ''
) where characters <= ${indexed}`;
const texts = sql<string[]>`(select json_group_array(value) from (${cleaned(chosenTexts)}))`;

/** About as many characters as are removed from the index and added to it, by what can be seen without computing the texts. */
const LEAST_COST = 200;
const cost = sql`octet_length(${envelopeTexts.texts}) + ${sql.raw(String(LEAST_COST))} + min(${indexed}, ifnull((select sum(length(${envelopeDocuments.name})) from ${envelopeDocuments} where ${envelopeDocuments.envelopeId} = ${envelopeTexts.id}), 0))`;

/** Others wait for a statement that indexes this many characters, and one envelope more, up to 30 ms. */
export const INDEXED_AT_ONCE = 6000;
/**
 * Whoever searches waits no longer, and on D1 no more statements; the schedule indexes the rest. As much as the largest bulk
 * send, of envelopes of usual size.
 */
const INDEXING_MS = 2000;
const STATEMENTS_PER_SEARCH = 30;

/**
 * The index has each word with its workspace and block, so that a statement reads no more: others wait up to 45 ms, if all
 * texts of a block only repeat what is searched.
 */
const ENVELOPES_PER_BLOCK = 500;

const its = envelopeTexts.workspaceId;
/** The block of an updated row: its own or, if it has none, the workspace's last one, unless that is full. */
const block = sql<number>`ifnull(${envelopeTexts.block}, (select last.block + (select count(*) from ${envelopeTexts} as same where same.workspace_id = ${its} and same.block = last.block) / ${sql.raw(String(ENVELOPES_PER_BLOCK))} from (select ifnull(${lastBlock(its)}, 0) as block) as last))`;

/** The last block of a workspace; they are counted from 0. */
export function lastBlock(workspaceId: SQL | AnyColumn): SQL {
  return sql`(select max(other.block) from ${envelopeTexts} as other where other.workspace_id = ${workspaceId})`;
}

/** Of contacts with a new name, the envelopes that one statement marks. */
const MARKED_AT_ONCE = 2000;

/**
 * Indexes what has changed in the caller's workspaces, in statements between which others are served.
 * @param takeTurn waits for the caller's turn
 */
export async function indexBeforeSearch(
  db: Database,
  member: Member,
  takeTurn?: () => Promise<void>,
): Promise<void> {
  const { stale, renamed } = changedIn(workspacesOf(member));
  const isBehind = sql`exists (select 1 from ${envelopeTexts} where ${stale}) or exists (select 1 from ${renamedContacts} where ${renamed})`;
  const endsAt = performance.now() + INDEXING_MS;
  for (let count = 0; count < STATEMENTS_PER_SEARCH && performance.now() < endsAt; count += 1) {
    await takeTurn?.();
    const [found] = await db.all<{ isBehind: number }>(sql`select ${isBehind} as isBehind`);
    if (!found?.isBehind) return;
    await indexTexts(db, { stale, renamed }, INDEXED_AT_ONCE);
  }
}

/** Indexes envelopes that have changed since they were indexed, about this many characters. @returns how many */
export const indexStaleEnvelopes = (db: Database, characters: number): Promise<number> =>
  indexTexts(db, changedIn(), characters);

/** What has changed in the workspaces: texts, and contacts whose envelopes are not marked yet. */
const changedIn = (workspaces?: SQL) => ({
  stale: and(sql`${envelopeTexts.stale}`, workspaces && inArray(envelopeTexts.workspaceId, workspaces)),
  renamed: workspaces
    ? sql`exists (select 1 from ${contacts} where ${contacts.id} = ${renamedContacts.id} and ${inArray(contacts.workspaceId, workspaces)})`
    : sql`true`,
});

async function indexTexts(
  db: Database,
  { stale, renamed }: ReturnType<typeof changedIn>,
  characters: number,
): Promise<number> {
  const { id } = envelopeTexts;
  const candidates = sql`select ${id} as id, ${cost} as cost from ${envelopeTexts} where ${stale} limit ${Math.ceil(characters / LEAST_COST)}`;
  const chosen = sql`(select id from (select id, sum(cost) over (rows unbounded preceding) - cost as before from (${candidates})) where before < ${characters})`;
  const index = db
    .update(envelopeTexts)
    .set({ texts, stale: false, block })
    .where(sql`${id} in ${chosen}`)
    .returning({ id });
  const rows = await runBatchAndRead(db, markRenamed(db, renamed), index);
  return rows.length;
}

/** The statements that mark the next envelopes of contacts with a new name. */
function markRenamed(db: Database, which: SQL): Statement[] {
  const { id, markedUntil } = renamedContacts;
  const rest = sql`${envelopes} where ${envelopes.contactId} = ${id} and ${envelopes.id} > ${markedUntil}`;
  const next = sql`(select ${id} as contact_id, ${envelopes.id} as envelope_id from ${renamedContacts} cross join ${rest} and ${which} order by 1, 2 limit ${MARKED_AT_ONCE})`;
  return [
    db
      .update(envelopeTexts)
      .set({ stale: true })
      .where(sql`${envelopeTexts.id} in (select envelope_id from ${next})`),
    db
      .update(renamedContacts)
      .set({ markedUntil: sql`marked.until` })
      .from(sql`(select contact_id, max(envelope_id) as until from ${next} group by 1) as marked`)
      .where(sql`${id} = marked.contact_id`),
    db.delete(renamedContacts).where(and(which, sql`not exists (select 1 from ${rest})`)),
  ];
}

/**
 * Merges pages of the index. A deletion only adds a mark to it; what was deleted is erased once all is merged into one
 * segment. @returns whether there is more to merge
 */
export async function mergeSearchIndex(db: Database, pages: number, continues: boolean): Promise<boolean> {
  // A negative number makes the segments that there are now one merge.
  const count = continues ? pages : -pages;
  await db.run(sql`insert into envelope_search (envelope_search, rank) values ('merge', ${count})`);
  const [segments] = await db.all<{ several: number | null }>(
    sql`select min(segid) <> max(segid) as several from envelope_search_idx`,
  );
  return segments?.several === 1;
}

/** The statement that empties the index, after the texts were deleted without their triggers. */
export const emptySearchIndex = (db: Database): Statement =>
  db.run(sql`insert into envelope_search (envelope_search) values ('delete-all')`);

/** Stands for the workspace and the block in an expression of `searchExpression`. */
const BLOCK = "\u0001";

/**
 * The expression of the full-text index for envelopes that contain each word; null if there is none. What people type
 * is always quoted, so that none of it is syntax.
 */
export function searchExpression(typed: string): string | null {
  const used = new Map<string, number>();
  const found = searchedWords(typed).flatMap((word) => {
    const phrases = [...new Set(spellingsOf(word).flatMap(storedForms))].flatMap((spelling) =>
      phrase(spelling, used),
    );
    return phrases.length === 0 ? [] : [`(${phrases.join(" OR ")})`];
  });
  return found.length === 0 ? null : [...new Set(found)].join(" AND ");
}

/** FROM and WHERE of the rows of the index that match the expression in the workspace, or in this block of it. */
export function matches(expression: string, workspaceId: SQL, block?: Placeholder) {
  const [first, last] = block === undefined ? [0, lastBlock(workspaceId)] : [block, block];
  return {
    from: sql`json_each((with recursive blocks(at) as (select ${first} union all select at + 1 from blocks where at < ${last}) select json_group_array(at) from blocks)) as block cross join envelope_search`,
    where: sql`envelope_search match replace(${expression}, char(1), printf('%x.%x:', ${workspaceId}, block.value))`,
  };
}

/** As it may be stored: composed, decomposed, and in half or full width, as Japanese texts have Latin letters. */
function storedForms(typed: string): string[] {
  const word = foldLetters(typed);
  const compatible = word.normalize("NFKC");
  const wide = /^[!-~]+$/.test(compatible)
    ? [compatible.replace(/./g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0))]
    : [];
  const written = [word.normalize("NFC"), word.normalize("NFD"), compatible];
  return [...written.map(withoutAccents), ...wide];
}

const withoutAccents = (text: string) => text.replace(/[\u0300-\u036f]/g, "");

/** In texts that repeat a part, each part that is searched costs as often as it occurs there: in a word, and in all. */
const PARTS_ALIKE = { word: 3, all: 8 };

/**
 * The parts of the word in order, as the view `envelope_grams` divides it, which also has all parts of one and two characters.
 * Of a word that repeats a part too often, only the beginning is searched.
 * @param used how often each part is searched already
 */
function phrase(word: string, used: Map<string, number>): string[] {
  const letters = [...word];
  const parts: string[] = [];
  const own = new Map<string, number>();
  for (let at = 0; at === 0 || at + 3 <= letters.length; at += 1) {
    const part = letters.slice(at, at + 3).join("");
    // The index ignores case and accents.
    const key = withoutAccents(part.normalize("NFD")).toLowerCase();
    const [inWord, inAll] = [own.get(key) ?? 0, used.get(key) ?? 0];
    if (inWord === PARTS_ALIKE.word || inAll === PARTS_ALIKE.all) break;
    own.set(key, inWord + 1);
    used.set(key, inAll + 1);
    parts.push(BLOCK + part.replaceAll('"', '""'));
  }
  return parts.length === 0 ? [] : [`"${parts.join(" ")}"`];
}
