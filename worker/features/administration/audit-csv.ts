import { listAuditEntries } from "../../../db/queries/audit-log";
import type { AuditFilter } from "../../contract/administration";
import { LIMITS } from "../../contract/limits";
import type { Dependencies } from "../../dependencies";
import { csvLine } from "../../lib/csv";

const HEAD = ["time", "action", "actor", "address", "subject", "detail"];
/** The log of many years. A narrower filter has what is left out. */
const MAX_PAGES = 20;

/** The latest matching entries as a CSV file, with a byte order mark for spreadsheets. */
export async function auditCsv({ db }: Pick<Dependencies, "db">, filter: AuditFilter): Promise<string> {
  const lines = [`\ufeff${csvLine(HEAD)}`];
  let cursor: number | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { rows, next } = await listAuditEntries(db, { ...filter, limit: LIMITS.pageMax, cursor });
    for (const { createdAt, action, actor, address, subject, detail } of rows)
      lines.push(csvLine([createdAt, action, actor, address ?? "", subject, JSON.stringify(detail)]));
    if (next === null) break;
    cursor = next;
  }
  return lines.join("");
}
