import { sql } from "drizzle-orm";
import { type Database, runBatch } from "../../../db/client";
import { type Conflict, conflictOf } from "../../../db/errors";
import { toAppError } from "../../../worker/middleware/error-response";

export type Rejection = { conflict?: Conflict; code: string };

/** The error of statements that the database rejects, alone or as a batch. */
export async function rejectionOf(db: Database, statements: string[]): Promise<Rejection> {
  try {
    const [first = "", ...rest] = statements;
    if (rest.length === 0) await db.run(sql.raw(first));
    else
      await runBatch(
        db,
        statements.map((statement) => db.run(sql.raw(statement))),
      );
  } catch (error) {
    return { conflict: conflictOf(error), code: toAppError(error).code };
  }
  throw new Error("The statements were not rejected");
}
