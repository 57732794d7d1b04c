import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { Database } from "../../db/client";
import { readSealedAnswers, replaceSealedAnswer } from "../../db/queries/answers";
import { readSealedDestinations, renewCredentials } from "../../db/queries/destinations";
import { readSealedDeliveries, replaceSealedDelivery } from "../../db/queries/file-deliveries";
import { readSealedSecrets, replaceSealedSecrets } from "../../db/queries/second-factors";
import {
  finishNextKey,
  readKeyFile,
  readOrCreateNextKey,
  writeKeyFile,
} from "../adapters/bun/files/key-file";
import { makesKeyFile } from "../adapters/bun/resources";
import { StartError } from "../adapters/bun/start-error";
import { createSecretBox } from "../adapters/shared/secret-box";
import type { Variables } from "../config";
import { SEALED_CONTEXTS, type SecretBox, SecretKeyMissingError } from "../ports/crypto";
import { type Manifest, secretKeysPath } from "./archive/archive-folder";
import { requireOwner } from "./folder-owner";
import { pluralize } from "./messages";

/** The number of accounts to name. */
const NAMED = 10;

/** The secret keys of the instance: SECRET_KEY, or those of the file in DATA_DIR. */
export const readSecretKeys = async (variables: Variables): Promise<readonly string[]> =>
  variables.SECRET_KEY ?? (await readKeyFile(resolve(variables.DATA_DIR)));

/**
 * The keys of a backup: those of now, and those of when it asks for them. A rotation meanwhile may have replaced either.
 * @throws StartError if there are none
 */
export async function requireSecretKeys(variables: Variables): Promise<() => Promise<readonly string[]>> {
  const keys = await readSecretKeys(variables);
  if (keys.length === 0)
    throw new StartError("--with-key: there is neither SECRET_KEY nor secret.key in DATA_DIR");
  return async () => [...new Set([...(await readSecretKeys(variables)), ...keys])];
}

/**
 * Adds the keys of an archive to the file of the instance, whose own stay in front; with SECRET_KEY, the variable decides, and
 * servers that have no folder in common need it.
 * @returns what the instance cannot read of the archive's rows, in a sentence; null if it reads everything
 */
export async function adoptSecretKeys(
  variables: Variables,
  db: Database,
  { secretKeys }: Manifest,
  folder: string,
): Promise<string | null> {
  const own = await readSecretKeys(variables);
  const added = secretKeys
    ? (await readFile(secretKeysPath(folder), "utf8")).split("\n").filter(Boolean)
    : [];
  const missing = added.filter((key) => !own.includes(key));
  const changes = missing.length > 0 && !variables.SECRET_KEY && makesKeyFile(variables);
  const keys = changes ? [...own, ...missing] : own;
  if (changes) await writeKeyFile(resolve(variables.DATA_DIR), keys);
  const loss = await describeLoss(db, keys);
  if (!loss || changes || missing.length === 0) return loss;
  return `The keys of the archive are only used from SECRET_KEY: add the lines of ${secretKeysPath(folder)} to it on all servers, each after a space. Until then: ${loss}`;
}

/** The accounts whose secrets none of the keys opens. */
export async function findUnreadable(db: Database, keys: readonly string[]) {
  const box = createSecretBox(async () => keys);
  const unreadable: string[] = [];
  let total = 0;
  for await (const page of readSealedSecrets(db))
    for (const { userId, email, sealedSecret } of page) {
      if (sealedSecret === null) continue;
      total += 1;
      if (!(await opens(box, sealedSecret, SEALED_CONTEXTS.totp(userId)))) unreadable.push(email);
    }
  const losses: Losses = { answers: 0, destinations: 0 };
  for (const { kind, read, contextOf } of SEALED_ROWS)
    if (kind)
      for await (const page of read(db))
        for (const row of page) {
          total += 1;
          if (!(await opens(box, row.sealed, contextOf(row)))) losses[kind] += 1;
        }
  return { total, unreadable, losses };
}

/** Rows with a sealed text. What has no kind can be lost: deliveries begin again. */
type SealedRow = { id: number; sealed: string };
type SealedRows<Row extends SealedRow> = {
  kind?: keyof Losses;
  read(db: Database): AsyncIterable<Row[]>;
  contextOf(row: Row): string;
  replace(db: Database, row: Row, next: string): Promise<unknown>;
};
const sealedRows = <Row extends SealedRow>(rows: SealedRows<Row>) => rows as SealedRows<SealedRow>;

const SEALED_ROWS = [
  sealedRows<SealedRow & { documentId: number }>({
    kind: "answers",
    read: readSealedAnswers,
    contextOf: ({ documentId }) => SEALED_CONTEXTS.answer(documentId),
    replace: replaceSealedAnswer,
  }),
  sealedRows<SealedRow & { workspaceId: number }>({
    kind: "destinations",
    read: readSealedDestinations,
    contextOf: ({ workspaceId }) => SEALED_CONTEXTS.destination(workspaceId),
    replace: (db, { id, sealed }, next) => renewCredentials(db, id, { from: sealed, to: next }),
  }),
  sealedRows({
    read: readSealedDeliveries,
    contextOf: ({ id }) => SEALED_CONTEXTS.delivery(id),
    replace: replaceSealedDelivery,
  }),
];

/** How many of each kind no key opens. */
type Losses = { answers: number; destinations: number };

/** What an operator reads about them; null if there are none. */
export function lossText({ answers, destinations }: Losses): string | null {
  const texts = [
    ...(answers > 0
      ? [`${pluralize(answers, "confidential answer")} cannot be read without the former key`]
      : []),
    ...(destinations > 0
      ? [`${pluralize(destinations, "file destination")} cannot be used without the former key`]
      : []),
  ];
  return texts.join(", and ") || null;
}

const opens = (box: SecretBox, sealed: string, context: string) =>
  box.open(sealed, context).then(
    () => true,
    () => false,
  );

/** The addresses, as many as are worth reading. */
export const namesOf = (emails: readonly string[]) =>
  `${emails.slice(0, NAMED).join(", ")}${emails.length > NAMED ? ` and ${emails.length - NAMED} more` : ""}`;

async function describeLoss(db: Database, keys: readonly string[]): Promise<string | null> {
  const { unreadable, losses } = await findUnreadable(db, keys);
  const others = lossText(losses);
  const advice = "Add the key of the former instance to secret.key in DATA_DIR or to SECRET_KEY";
  if (unreadable.length === 0)
    return (
      others &&
      `${others}. ${advice}; if it is lost, ask for the answers again, and connect the destinations again`
    );
  return `${others ? `${others}. ` : ""}The secret key of these accounts' authenticator apps is missing, so their codes do not work: ${namesOf(unreadable)}. ${advice}; or they sign in with a passkey or a recovery code; or run \`doculopes users reset-two-factor\``;
}

/**
 * Encrypts all secrets with a new key. Interrupted at any time, nothing is lost, and the next call continues: the former
 * key stays in the file, also afterwards, for what a running server has encrypted with it meanwhile. The next rotation
 * removes it. With SECRET_KEY, its first key is the new one.
 * @returns what to tell the operator
 */
export async function rotateSecretKey(variables: Variables, db: Database): Promise<string> {
  const folder = resolve(variables.DATA_DIR);
  if (variables.SECRET_KEY) {
    const count = await reencrypt(db, variables.SECRET_KEY);
    return `${pluralize(count, "secret")} encrypted again, with the first key of SECRET_KEY. ${
      variables.SECRET_KEY.length > 1
        ? "Remove the other keys once no server uses them"
        : "To change the key, put a new one in front, separated by a space, on all servers; restart them, and run this again"
    }`;
  }
  if ((await readKeyFile(folder)).length === 0)
    throw new StartError(`There is no secret.key in ${folder}: start the server once, or set SECRET_KEY`);
  await requireOwner(folder, "rotate-key");
  const next = await readOrCreateNextKey(folder);
  // Read after that: another rotation may have written it.
  const before = await readKeyFile(folder);
  const keys = [next, ...before.filter((key) => key !== next)];
  await writeKeyFile(folder, keys);
  const count = await reencrypt(db, keys);
  // If the next rotation has begun already, both files are its own.
  if ((await readKeyFile(folder))[0] === next) {
    await writeKeyFile(folder, keys.slice(0, 2));
    await finishNextKey(folder);
  }
  return `${pluralize(count, "secret")} encrypted again, with a new key in ${folder}. Make a backup with --with-key: earlier ones need the former key`;
}

const isUnreadable = (error: unknown) =>
  error instanceof SecretKeyMissingError || error instanceof DOMException;

/** @throws StartError if secrets remain that no key opens */
async function reencrypt(db: Database, keys: readonly string[]): Promise<number> {
  const box = createSecretBox(async () => keys);
  const lost = new Set<string>();
  let changed = 0;
  const renew = async (sealed: string | null, context: string) => {
    if (sealed === null || (await box.isCurrent(sealed))) return sealed;
    return box.seal(await box.open(sealed, context), context);
  };
  for (let before = -1; before < changed; ) {
    before = changed;
    for await (const page of readSealedSecrets(db))
      for (const row of page) {
        if (lost.has(row.email)) continue;
        const context = SEALED_CONTEXTS.totp(row.userId);
        try {
          const sealedSecret = await renew(row.sealedSecret, context);
          const pendingSecret = await renew(row.pendingSecret, context);
          if (sealedSecret === row.sealedSecret && pendingSecret === row.pendingSecret) continue;
          await replaceSealedSecrets(db, row, { sealedSecret, pendingSecret });
          changed += 1;
        } catch (error) {
          if (!isUnreadable(error)) throw error;
          lost.add(row.email);
        }
      }
  }
  const missing: Losses = { answers: 0, destinations: 0 };
  for (const { kind, read, contextOf, replace } of SEALED_ROWS) {
    const unreadable = new Set<number>();
    for (let before = -1; before < changed; ) {
      before = changed;
      for await (const page of read(db))
        for (const row of page) {
          if (unreadable.has(row.id)) continue;
          try {
            const next = await renew(row.sealed, contextOf(row));
            if (next === null || next === row.sealed) continue;
            await replace(db, row, next);
            changed += 1;
          } catch (error) {
            if (!isUnreadable(error)) throw error;
            unreadable.add(row.id);
          }
        }
    }
    if (kind) missing[kind] = unreadable.size;
  }
  const missingText = lossText(missing);
  if (missingText && lost.size === 0)
    throw new StartError(
      `${pluralize(changed, "secret")} encrypted again, but ${missingText}. Nothing else was changed: add their key to secret.key or SECRET_KEY, or delete these answers and connect these destinations again, then run this again`,
    );
  if (lost.size > 0)
    throw new StartError(
      `${pluralize(changed, "secret")} encrypted again, but no key opens those of ${namesOf([...lost])}. Nothing else was changed: add their key to secret.key or SECRET_KEY, or run \`doculopes users reset-two-factor\` for them, then run this again`,
    );
  return changed;
}
