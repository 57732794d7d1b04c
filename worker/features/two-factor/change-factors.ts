import { runBatch, type Statement } from "../../../db/client";
import { insertAuditEntry, isActorRejected } from "../../../db/queries/audit-log";
import type { User } from "../../../db/queries/users";
import type { AuditAction } from "../../contract/audit-actions";
import type { SecondFactor } from "../../contract/options";
import type { Dependencies } from "../../dependencies";
import { appError } from "../../errors";
import { deliverSoon, queueFactorChanged } from "../notifications/outbox";

/** Who changes the factors: the account by one of its sessions. */
export type FactorOwner = { user: User; sid: string; address: string };

type FactorChange = {
  action: Extract<AuditAction, "factor_added" | "factor_removed" | "recovery_codes_renewed">;
  factor: Exclude<SecondFactor, "recovery_code">;
  /** NULL, and nothing is changed, if the account or its factors have changed since. */
  userId: Parameters<typeof queueFactorChanged>[1];
  at: string;
  statements: Statement[];
};

/** Runs the change with its mail and its entry in the audit log. @throws AppError `unauthenticated` */
export async function changeFactors(
  deps: Dependencies,
  { user, sid, address }: FactorOwner,
  { action, factor, userId, at, statements }: FactorChange,
): Promise<void> {
  const { db } = deps;
  await runBatch(db, [
    queueFactorChanged(db, userId, { kind: action, factor, createdAt: at }),
    insertAuditEntry(
      db,
      { kind: "account", user, sid, address },
      { action, subject: { userId: user.id }, detail: { factor }, createdAt: at },
    ),
    ...statements,
  ]).catch((error: unknown) => {
    throw isActorRejected(error) ? appError("unauthenticated") : error;
  });
  deliverSoon(deps);
}
