import { stat } from "node:fs/promises";
import type { Database } from "../../../db/client";
import { openLibsql, pathOfFile } from "../../../db/libsql";
import { journalMode, listIntegrityErrors, tryWriteLock } from "../../../db/maintenance";
import { findImport } from "../../../db/queries/job-runs";
import { SCHEMA_PROBLEMS, schemaState } from "../../../db/version";
import { databaseUrl } from "../../adapters/bun/resources";
import type { Variables } from "../../config";
import { type Finding, findingsOf, isFull, reasonOf } from "./finding";

const { ok, warning, failure } = findingsOf("Database");

type Checked = {
  findings: Finding[];
  /** The database, if this version of the app can read its rows. */
  db?: Database;
  close(): void;
};

/** Opens the database without changing it or creating files, and checks it. */
export async function checkDatabase(variables: Variables): Promise<Checked> {
  const url = databaseUrl(variables);
  const path = pathOfFile(url);
  const name = path ?? url.split("?", 1)[0];
  if (path && !(await stat(path).catch(() => null)))
    return { findings: ok(`there is no database at ${path} yet; the first start creates it`), close() {} };
  let close = () => {};
  try {
    const immutable = path !== null && !(await stat(`${path}-wal`).catch(() => null));
    const opened = await openLibsql({ url, authToken: variables.DATABASE_AUTH_TOKEN, immutable });
    close = opened.close;
    return { ...(await inspect(opened.db, { name: name ?? "", path, immutable })), close };
  } catch (error) {
    const advice = path
      ? "if the file is damaged, stop the app and `restore --replace` a backup; otherwise check its permissions and disk"
      : "check DATABASE_URL, DATABASE_AUTH_TOKEN and the server";
    return { findings: failure(`${name} cannot be used: ${reasonOf(error)}`, advice), close };
  }
}

type Opened = {
  name: string;
  /** Null if it is on a server. */
  path: string | null;
  /** No process has it open. */
  immutable: boolean;
};

async function inspect(db: Database, { name, path, immutable }: Opened) {
  const state = await schemaState(db);
  if (state === "none") return { findings: ok(`${name} has no tables yet; the first start creates them`) };
  if (state === "newer" || state === "unknown") {
    const { problem, advice } = SCHEMA_PROBLEMS[state];
    return { findings: failure(`${name}: ${problem}`, advice) };
  }
  const findings = [
    ...(immutable ? [] : await checkWriteLock(db)),
    ...(path === null ? [] : await checkIntegrity(db)),
    ...(path === null || immutable ? [] : await checkJournalMode(db)),
  ];
  if (state === "older") {
    findings.push(
      ...warning(`${name} has an older version`, "make a backup; the next start brings it up to date"),
    );
    return { findings };
  }
  if (await findImport(db))
    findings.push(
      ...failure(
        `${name} lacks a part of what was imported`,
        "if no import is under way, run it again with --replace",
      ),
    );
  if (findings.length === 0)
    findings.push(
      ...ok(
        `${name} opens, is writable and has the tables of this version${path === null ? "" : "; its integrity checks pass"}`,
      ),
    );
  return { findings, db };
}

async function checkWriteLock(db: Database): Promise<Finding[]> {
  try {
    await tryWriteLock(db);
    return [];
  } catch (error) {
    return failure(
      `it is not writable: ${reasonOf(error)}`,
      isFull(error)
        ? "free some space on its disk"
        : "check the permissions of the file and its folder, and which process locks it",
    );
  }
}

async function checkIntegrity(db: Database): Promise<Finding[]> {
  return (await listIntegrityErrors(db)).flatMap((text) =>
    failure(
      text,
      text.includes("envelope_search")
        ? "run `reindex`: this index of the search is made from the other tables"
        : "stop the app, keep a copy of DATA_DIR, and `restore --replace` a backup",
    ),
  );
}

async function checkJournalMode(db: Database): Promise<Finding[]> {
  const journal = await journalMode(db);
  if (journal === "wal") return [];
  return warning(
    `its journal mode is ${journal} instead of wal: readers wait for writers`,
    "keep it on a local disk",
  );
}
