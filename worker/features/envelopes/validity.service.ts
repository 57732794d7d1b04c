import { runBatchAndRead } from "../../../db/client";
import { requireSameOwner } from "../../../db/queries/account-guards";
import { insertEvents } from "../../../db/queries/envelope-events";
import {
  type FullEnvelope,
  isEnvelopeChanged,
  isEnvelopeMissing,
  ownEnvelopeId,
  selectEnvelope,
  updateEnvelope,
} from "../../../db/queries/envelopes";
import type { Member } from "../../../db/queries/members";
import {
  type ExpiringCall,
  isReplacedInParts,
  listExpiring,
  resumeRenewals,
  updateValidity,
} from "../../../db/queries/validity";
import { addDays } from "../../contract/days";
import { dayIn } from "../../contract/time-zones";
import type { ExpiringDocument, ValidityChanges } from "../../contract/validity";
import type { Dependencies } from "../../dependencies";
import { appError } from "../../errors";
import { entryOf } from "../envelope-rules/documents";
import { planValidity } from "../envelope-rules/validity";
import { readCursor, writeCursor } from "../lists/lists.service";
import { missingOrChanged, requireWorkspace } from "../workspaces/workspaces.service";
import { requireEnvelope, written } from "./envelopes.service";
import { requireRequestor } from "./requestor";
import type { Sender } from "./sending-limits";

/**
 * Says of a submitted document until when it is valid, and when it is asked for again.
 * @throws AppError `envelope_not_found`, `role_required`, `not_found`, `not_completed`, `changed_meanwhile`,
 *   `envelope_changed`, `account_changed`
 */
export async function changeValidity(
  deps: Dependencies,
  sender: Sender,
  { envelopeId: id, documentId }: { envelopeId: number; documentId: number },
  { updatedAt: read, ...changes }: ValidityChanges,
): Promise<FullEnvelope> {
  const { db, clock } = deps;
  const envelope = await requireEnvelope(deps, sender, id);
  const changed = () => missingOrChanged(deps, sender, "envelope_changed", { kind: "envelope", id, read });
  const document = envelope.documents.find((one) => one.id === documentId && one.kind === "file");
  if (!document) throw appError("not_found");
  if (envelope.completedAt === null) throw appError("not_completed");
  if (read != null && read !== envelope.updatedAt) throw await changed();
  const { validUntil = document.validUntil, renewDays = document.renewDays } = changes;
  if (changes.validUntil === undefined && changes.renewDays === undefined) return envelope;
  const now = clock.now();
  const at = now.toISOString();
  const { timeZone } = await requireRequestor(deps, sender, envelope);
  const { workspaceId, contactId, templateId } = envelope;
  const { userId, address } = sender;
  const detail = [document.name, validUntil].filter(Boolean).join(": ");
  const statements = [
    ...(renewDays === null ? [] : [requireSameOwner(db, sender)]),
    insertEvents(db, ownEnvelopeId(sender, id), {
      ...{ userId, address, kinds: ["validity_changed"], detail, at },
    }),
    updateValidity(
      db,
      sender,
      id,
      { ...entryOf(document), id: documentId, renewDays },
      { validUntil, ...planValidity({ validUntil, renewDays }, now, timeZone) },
    ),
    updateEnvelope(db, sender, envelope, { workspaceId, contactId, templateId, updatedAt: at }),
  ];
  return written(
    deps,
    await runBatchAndRead(db, statements, selectEnvelope(db, sender, id)).catch(async (error: unknown) => {
      if (isEnvelopeMissing(error)) throw appError("envelope_not_found");
      throw isEnvelopeChanged(error) ? await changed() : error;
    }),
  );
}

/** Goes on with what is paused. @throws AppError `workspace_not_found`, `role_required`, `account_changed` */
export async function goOnRenewing(
  deps: Dependencies,
  sender: Sender,
  given: number | null | undefined,
): Promise<void> {
  const { db, clock, takeTurn } = deps;
  const workspaceId = await requireWorkspace(deps, sender, given);
  const now = clock.now().toISOString();
  await resumeRenewals(db, sender, { workspaceId, now, takeTurn }, [requireSameOwner(db, sender)]);
}

/** Before its day, a document is said to be expiring for so long at least. */
const EXPIRING_DAYS = 30;
/** The cursor's, which belongs to the list. */
const SORT = "validUntil";
const PAGE = 100;
const READ_AT_ONCE = 25;
/** Each is compared with all that its recipient has handed in: fewer are read at once if others wait longer. */
const TURN_MS = 5;

type Call = Omit<ExpiringCall, "cursor" | "limit"> & {
  cursor?: string | undefined;
  limit?: number | undefined;
};

/** A page of the caller's documents with a day, the soonest first. @throws AppError `validation` for a cursor of another list */
export async function readExpiring(
  { db, clock, takeTurn }: Pick<Dependencies, "db" | "clock" | "takeTurn">,
  member: Member,
  { cursor, limit = PAGE, ...call }: Call,
): Promise<{ rows: ExpiringDocument[]; next: string | null }> {
  const paged = { cursor, sort: SORT, isPlain: false };
  const asked = { ...call, inParts: takeTurn !== undefined };
  const found: Awaited<ReturnType<typeof listExpiring>>["rows"] = [];
  let next = readCursor(paged) ?? null;
  let atOnce = takeTurn ? 1 : READ_AT_ONCE;
  do {
    await takeTurn?.();
    const started = performance.now();
    const page = await listExpiring(db, member, { ...asked, limit: atOnce, cursor: next ?? undefined });
    for (const row of page.rows)
      if (row.isCurrent ?? !(await isReplacedInParts(db, row.documentId, takeTurn))) found.push(row);
    next = page.next;
    const isShort = !takeTurn || performance.now() - started < TURN_MS;
    atOnce = isShort ? Math.min(atOnce * 2, READ_AT_ONCE) : Math.ceil(atOnce / 2);
  } while (next && found.length <= limit);
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  if (last && found.length > limit) next = { value: last.validUntil, id: last.documentId };
  const now = clock.now();
  const documents = rows.map(({ timeZone, isCurrent: _, ...row }) => ({
    ...row,
    recipient: { ...row.recipient, email: row.recipient.email || null },
    renewalPaused: row.renewalPaused === true,
    state: stateOf(row, dayIn(timeZone, now)),
  }));
  return { rows: documents, next: writeCursor(next, paged) };
}

function stateOf(
  { validUntil, renewDays, renewal }: Pick<ExpiringDocument, "validUntil" | "renewDays" | "renewal">,
  today: string,
): ExpiringDocument["state"] {
  if (validUntil < today) return "expired";
  if (renewal) return "asked";
  return addDays(validUntil, -Math.max(renewDays ?? 0, EXPIRING_DAYS)) <= today ? "expiring" : "valid";
}
