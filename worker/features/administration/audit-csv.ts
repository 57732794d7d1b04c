import { listAuditEntries } from "../../../db/queries/audit-log";
import type { AuditFilter } from "../../contract/administration";
import { LIMITS } from "../../contract/limits";
import type { Dependencies } from "../../dependencies";
import { csvFile } from "../../lib/csv";

const AUDIT_COLUMNS = ["time", "action", "actor", "address", "subject", "detail"];
/** The log of many years. A narrower filter has what is left out. */
const MAX_AUDIT_PAGES = 20;

/** The latest matching entries as a CSV file. */
export const auditCsv = (deps: Dependencies, filter: AuditFilter) =>
  csvFile(AUDIT_COLUMNS, auditPages(deps, filter));

async function* auditPages({ db, takeTurn }: Dependencies, filter: AuditFilter) {
  let cursor: number | undefined;
  for (let page = 0; page < MAX_AUDIT_PAGES; page += 1) {
    const { rows, next } = await listAuditEntries(db, { ...filter, limit: LIMITS.pageMax, cursor }, takeTurn);
    yield rows.map(({ createdAt, action, actor, address, subject, detail }) => [
      createdAt,
      action,
      actor,
      address ?? "",
      subject,
      JSON.stringify(detail),
    ]);
    if (next === null) break;
    cursor = next;
  }
}
