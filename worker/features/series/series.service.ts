import { isUnchanged, ownershipOf, requireSameOwner } from "../../../db/queries/account-guards";
import { isAttachmentMissing } from "../../../db/queries/attachments";
import type { KeyClaim } from "../../../db/queries/idempotency-keys";
import type { Member } from "../../../db/queries/members";
import {
  deleteSeries,
  deleteSeriesRecipient,
  type FoundSeries,
  findSeries,
  findWrittenSeries,
  insertSeries,
  insertSeriesRecipients,
  isRecipientsRejected,
  isSeriesFull,
  isSeriesRejected,
  isSeriesSenderRejected,
  listSeries,
  listSeriesIds,
  listSeriesRecipients,
  type SeriesRow,
  updateSeries,
} from "../../../db/queries/series";
import type { User } from "../../../db/queries/users";
import type { RecipientInput, SharedInput } from "../../contract/bulk-sends";
import type { Issue } from "../../contract/error-body";
import { fieldsOf } from "../../contract/fields";
import { LIMITS, SERVER_LIMITS } from "../../contract/limits";
import { MESSAGES } from "../../contract/messages";
import { DEFAULT_SEND_HOUR } from "../../contract/schedules";
import {
  type ListedSeries,
  listedSeriesResponse,
  type Series,
  type SeriesChanges,
  type SeriesEnvelope,
  type SeriesInput,
  seriesEnvelope,
  seriesLists,
  seriesRecipient,
} from "../../contract/series";
import { datesOn, nextOccurrence, occurrenceDay, upcomingDays } from "../../contract/series-days";
import { dayIn } from "../../contract/time-zones";
import type { Dependencies } from "../../dependencies";
import { appError, rejectedAs, required, validationError } from "../../errors";
import { hourOfDay } from "../../lib/zoned-days";
import { requireAttachments } from "../attachments/attachments.service";
import { checkAll, requireTemplate, withContacts } from "../envelopes/bulk-sends.service";
import { requireAssignee } from "../envelopes/requestor";
import type { Sender } from "../envelopes/sending-limits";
import { hasProvedAddress } from "../sign-in-policy/proved-address";
import {
  missing,
  missingOrChanged,
  ofOwnWorkspace,
  requireWorkspace,
} from "../workspaces/workspaces.service";

/** The next days that are listed. */
const UPCOMING = 6;
/** Series that are read at once: each counts its last bulk send. */
const READ_AT_ONCE = 10;

type Now = { now: Date; timeZone: string | null };
type Rule = Pick<
  SeriesRow,
  "every" | "unit" | "startOn" | "startNumber" | "sendHour" | "weekend" | "endOn" | "times"
>;

/** When the occurrence of a day is sent. */
export const timeOn = (day: string, { sendHour }: Pick<Rule, "sendHour">, timeZone: string | null): Date =>
  hourOfDay(day, sendHour, timeZone);

/** Where a series goes on from a number: at the first occurrence that is not past; `dueAt` is for one that is not paused. */
export function nextFrom(rule: Rule, from: number, { now, timeZone }: Now) {
  const next = nextOccurrence(rule, from, (day) => timeOn(day, rule, timeZone) > now);
  return next
    ? { nextNumber: next.number, nextOn: next.day, dueAt: timeOn(next.day, rule, timeZone).toISOString() }
    : { nextNumber: from, nextOn: null, dueAt: null };
}

/** The number and day of the next occurrence. Of a paused series, those whose time has come are left out. */
export function upcomingOf(
  series: Rule & Pick<FoundSeries, "nextNumber" | "nextOn" | "paused" | "timeZone">,
  now: Date,
) {
  const { paused, timeZone, nextNumber, nextOn } = series;
  return paused ? nextFrom(series, nextNumber, { now, timeZone }) : { nextNumber, nextOn };
}

export function listedView(series: FoundSeries, now: Date): ListedSeries {
  const { nextNumber, nextOn } = upcomingOf(series, now);
  const { paused, userId, assigneeId } = series;
  return fieldsOf(listedSeriesResponse, {
    ...series,
    assigneeId: assigneeId ?? userId,
    ...{ paused: paused !== null, pauseReason: paused, nextOn },
    upcoming: nextOn === null ? [] : upcomingDays(series, nextNumber, UPCOMING),
  });
}

/** @throws AppError `series_not_found`, `role_required` */
export async function requireSeries(deps: Dependencies, member: Member, id: number): Promise<FoundSeries> {
  const found = await findSeries(deps.db, member, id);
  if (!found) throw await missing(deps, member, "series_not_found", { kind: "series", id });
  return found;
}

/** @throws AppError `series_not_found`, `role_required` */
export const readSeries = async (deps: Dependencies, member: Member, id: number): Promise<Series> =>
  viewSeries(deps, await requireSeries(deps, member, id));

/**
 * The series as the caller has just written it, although they may have lost access meanwhile.
 * @throws AppError `series_not_found` if it was deleted meanwhile
 */
export const readWritten = async (deps: Dependencies, id: number): Promise<Series> =>
  viewSeries(deps, await required(findWrittenSeries(deps.db, id), "series_not_found"));

async function viewSeries(deps: Dependencies, series: FoundSeries): Promise<Series> {
  const rows = await listSeriesRecipients(deps.db, series.id);
  return {
    ...listedView(series, deps.clock.now()),
    envelope: fieldsOf(seriesEnvelope, {
      ...series.envelope,
      assigneeId: series.assigneeId,
    } as Series["envelope"]),
    recipients: rows.map(({ id, recipient }) => {
      const own = recipient as Omit<Series["recipients"][number], "id">;
      return fieldsOf(seriesRecipient, { ...own, values: own.values ?? {}, id });
    }),
  };
}

/** @throws AppError `workspace_not_found` */
export async function readAllSeries(
  deps: Dependencies,
  member: Member,
  which: { workspaceId?: number | undefined; contactId?: number | undefined },
): Promise<ListedSeries[]> {
  const workspaceId = which.workspaceId ?? member.workspaceId;
  const ids = await listSeriesIds(deps.db, member, { ...which, workspaceId });
  const rows: ListedSeries[] = [];
  for (let at = 0; at < ids.length; at += READ_AT_ONCE) {
    await deps.takeTurn?.();
    const page = await listSeries(deps.db, member, ids.slice(at, at + READ_AT_ONCE));
    rows.push(...page.map((row) => listedView(row, deps.clock.now())));
  }
  await ofOwnWorkspace(deps, member, workspaceId, rows);
  return rows.sort((one, other) =>
    one.nextOn === other.nextOn ? one.id - other.id : (one.nextOn ?? "~") < (other.nextOn ?? "~") ? -1 : 1,
  );
}

/** What is wrong with the end of a series. */
function endIssues({ startOn, endOn, times }: Pick<Rule, "startOn" | "endOn" | "times">): Issue[] {
  if (endOn !== null && times !== null) return [{ path: "times", message: MESSAGES.endOrTimes }];
  return endOn !== null && endOn < startOn ? [{ path: "endOn", message: MESSAGES.endBeforeStart }] : [];
}

/** At which field a series ends before its next occurrence. */
const nothingLeft = ({ endOn, times }: Pick<Rule, "endOn" | "times">): Issue => ({
  path: endOn !== null ? "endOn" : times !== null ? "times" : "startOn",
  message: MESSAGES.noOccurrenceLeft,
});

/** What is wrong with the first day of a series. */
function startIssues(rule: Rule, { now, timeZone }: Now): Issue[] {
  const { startOn, sendHour } = rule;
  const today = dayIn(timeZone, now);
  const first = occurrenceDay({ ...rule, endOn: null, times: null }, rule.startNumber) ?? startOn;
  if (startOn < today || first < today) return [{ path: "startOn", message: MESSAGES.dateInPast }];
  if (first === today && timeOn(first, { sendHour }, timeZone) <= now)
    return [{ path: "sendHour", message: MESSAGES.hourOver }];
  return [];
}

function throwIfAny(issues: Issue[]): void {
  if (issues.length > 0) throw validationError(issues);
}

/** The shared part of the envelopes that are sent on a day. */
export const sharedOn = (envelope: SeriesEnvelope, day: string): SharedInput => ({
  ...(envelope as unknown as SharedInput),
  ...datesOn(envelope, day),
});

/** The account that calls, and the API token it uses. */
export type Caller = Sender & { apiTokenId: number | null };

/** The texts that recipients would get are checked as of a day. */
const checkTexts = (
  deps: Dependencies,
  member: Sender,
  { envelope, recipients, workspaceId, requestor, day }: Checked,
) =>
  withContacts(deps, member, workspaceId, recipients).then((stored) =>
    checkAll(sharedOn(envelope, day), stored, { requestor, now: deps.clock.now(), day }),
  );
type Checked = {
  envelope: SeriesEnvelope;
  recipients: readonly RecipientInput[];
  workspaceId: number;
  requestor: User;
  day: string;
};

/**
 * Stores a series; nothing is sent yet.
 * @throws AppError `validation`, `missing_placeholder`, `contact_not_found`, `template_not_found`, `workspace_not_found`, `role_required`,
 *   `verify_email`, `too_many_series`, `account_changed`, `bulk_too_large`
 */
export async function createSeries(
  deps: Dependencies,
  caller: Caller,
  input: SeriesInput,
  claim: KeyClaim | undefined,
): Promise<number> {
  const { db, clock, config } = deps;
  const { apiTokenId, ...sender } = caller;
  const { envelope, recipients, workspaceId: given, endOn = null, times = null, ...more } = input;
  const now = clock.now();
  const workspaceId = await requireWorkspace(deps, sender, given ?? envelope.workspaceId);
  const assigneeId = envelope.assigneeId ?? null;
  const requestor = await requireAssignee(
    deps,
    sender,
    workspaceId,
    assigneeId ?? sender.userId,
    "envelope.assigneeId",
  );
  const rule = {
    ...{ ...more, endOn, times, startNumber: 1 },
    ...{ sendHour: more.sendHour ?? DEFAULT_SEND_HOUR, weekend: more.weekend ?? "same" },
  };
  const when = { now, timeZone: requestor.timeZone };
  throwIfAny([...endIssues(rule), ...startIssues(rule, when)]);
  const next = nextFrom(rule, 1, when);
  if (next.nextOn === null) throw validationError([nothingLeft(rule)]);
  await requireTemplate(deps, sender, workspaceId, envelope.templateId);
  const documents = await requireAttachments(deps, sender, workspaceId, envelope.documents);
  await checkTexts(deps, sender, { envelope, recipients, workspaceId, requestor, day: next.nextOn });
  if (config.limitsRates && !hasProvedAddress(deps, sender.user)) throw appError("verify_email");
  const at = now.toISOString();
  return insertSeries(
    db,
    sender,
    {
      ...{
        ...rule,
        ...next,
        recipients,
        workspaceId,
        assigneeId,
        envelope: { ...envelope, documents, workspaceId },
      },
      ...{ userId: sender.userId, address: sender.address, ifOpen: input.ifOpen ?? "send" },
      ...{ createdAt: at, updatedAt: at },
    },
    // Checking took a while: a reset or revocation meanwhile would not end it.
    isUnchanged(db, sender.userId, {
      ...ownershipOf(sender.user),
      ...(apiTokenId !== null && { apiTokenId }),
    }),
    config.quotas,
    claim,
  ).catch(async (error: unknown) => {
    if (isSeriesFull(error))
      throw appError("too_many_series", { params: { max: SERVER_LIMITS.seriesPerWorkspace } });
    if (isSeriesSenderRejected(error)) throw appError("account_changed");
    if (isAttachmentMissing(error)) throw appError("attachment_not_found");
    if (!isSeriesRejected(error)) throw error;
    throw await missing(deps, sender, "workspace_not_found", { kind: "workspace", id: workspaceId });
  });
}

/**
 * Changes a series from its next occurrence on.
 * @throws AppError `series_not_found`, `role_required`, `changed_meanwhile`, and those of `createSeries`
 */
export async function changeSeries(
  deps: Dependencies,
  sender: Caller,
  id: number,
  { updatedAt: read, ...changes }: SeriesChanges,
): Promise<void> {
  const { db, clock, config } = deps;
  for (;;) {
    const stored = await requireSeries(deps, sender, id);
    if (read != null && read !== stored.updatedAt)
      throw await missingOrChanged(deps, sender, "series_not_found", { kind: "series", id, read });
    const now = clock.now();
    const columns = await changedColumns(deps, sender, stored, changes, now);
    const unchanged = requireSameOwner(db, sender);
    const guards = { unchanged, quotas: config.quotas, now: now.toISOString() };
    // Changed or sent meanwhile: what the change means may be something else now.
    const isChanged = await updateSeries(db, sender, stored, columns, guards).catch(
      rejectedAs(isAttachmentMissing, "attachment_not_found"),
    );
    if (isChanged) return;
  }
}

async function changedColumns(
  deps: Dependencies,
  sender: Sender,
  stored: FoundSeries,
  { envelope, paused, ...changes }: Omit<SeriesChanges, "updatedAt">,
  now: Date,
) {
  const { workspaceId } = stored;
  const assigneeId = envelope ? (envelope.assigneeId ?? null) : stored.assigneeId;
  // Who goes on with a series whose account has left sends it.
  const userId = stored.userId ?? sender.userId;
  const requestor = await requireAssignee(
    deps,
    sender,
    workspaceId,
    assigneeId ?? userId,
    "envelope.assigneeId",
  );
  const rule = {
    ...pickRule(stored),
    ...given(changes),
    // Null is the default, absent as it was.
    ...{
      sendHour: changes.sendHour === undefined ? stored.sendHour : (changes.sendHour ?? DEFAULT_SEND_HOUR),
      weekend: changes.weekend === undefined ? stored.weekend : (changes.weekend ?? "same"),
      ifOpen: changes.ifOpen === undefined ? stored.ifOpen : (changes.ifOpen ?? "send"),
    },
  };
  const when = { now, timeZone: requestor.timeZone };
  throwIfAny(endIssues(rule));
  const { nextNumber, nextOn } = upcomingOf(stored, now);
  const isMoved = (["every", "unit", "startOn"] as const).some((field) => rule[field] !== stored[field]);
  const isEndMoved = rule.endOn !== stored.endOn || rule.times !== stored.times;
  let next = { nextNumber, nextOn, startNumber: stored.startNumber };
  if (isMoved) {
    if (rule.startOn !== stored.startOn) throwIfAny(startIssues({ ...rule, startNumber: nextNumber }, when));
    const today = dayIn(when.timeZone, now);
    const endless = { ...rule, startNumber: 0, endOn: null, times: null };
    const first = nextOccurrence(endless, 0, (day) => day > today);
    const startNumber = nextNumber - (first?.number ?? 0);
    next = { nextNumber, startNumber, nextOn: first && occurrenceDay({ ...rule, startNumber }, nextNumber) };
  } else if (isEndMoved || rule.weekend !== stored.weekend) {
    // One that had ended goes on with what is not past.
    const from = stored.nextOn === null ? nextFrom(rule, nextNumber, when) : undefined;
    next = { ...next, ...(from ?? { nextOn: occurrenceDay(rule, nextNumber) }) };
  }
  if ((isMoved || isEndMoved) && next.nextOn === null) throw validationError([nothingLeft(rule)]);
  const documents = envelope && (await requireAttachments(deps, sender, workspaceId, envelope.documents));
  if (envelope) {
    await requireTemplate(deps, sender, workspaceId, envelope.templateId);
    const rows = await listSeriesRecipients(deps.db, stored.id);
    const recipients = rows.map(({ recipient }) => recipient as RecipientInput);
    checkLists({ envelope, recipients });
    const known = rows.flatMap(({ contactId, contact }, at) =>
      contactId === null || contact ? (recipients[at] ?? []) : [],
    );
    const day = next.nextOn ?? dayIn(when.timeZone, now);
    await checkTexts(deps, sender, { envelope, recipients: known, workspaceId, requestor, day });
  }
  const isPaused = paused ?? stored.paused !== null;
  const isResumed = stored.paused !== null && !isPaused;
  const dueAt =
    isPaused || next.nextOn === null
      ? null
      : isResumed || isMoved || next.nextOn !== stored.nextOn || rule.sendHour !== stored.sendHour || envelope
        ? timeOn(next.nextOn, rule, when.timeZone).toISOString()
        : stored.dueAt;
  return {
    ...{ ...rule, ...next, userId, assigneeId, dueAt },
    ...(envelope && { envelope: { ...envelope, documents, workspaceId } }),
    ...(isPaused && stored.paused === null && { paused: "person" as const, pausedAt: now.toISOString() }),
    ...(isResumed && { paused: null, pausedAt: null }),
  };
}

const pickRule = ({
  name,
  every,
  unit,
  startOn,
  startNumber,
  sendHour,
  weekend,
  endOn,
  times,
  ifOpen,
}: SeriesRow) => ({
  ...{ name, every, unit, startOn, startNumber, sendHour, weekend, endOn, times, ifOpen },
});

/** Without what is absent. */
const given = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]: Exclude<Fields[Name], undefined>;
  };

/** @throws AppError `validation` */
function checkLists(lists: { envelope: SeriesEnvelope; recipients: readonly RecipientInput[] }): void {
  const { error } = seriesLists.safeParse(lists);
  if (error)
    throw validationError(
      error.issues.map(({ path, message }) => ({ path: path.map(String).join("."), message })),
    );
}

/** @throws AppError `too_many_recipients`, and those of `changeSeries` */
export async function addRecipients(
  deps: Dependencies,
  sender: Caller,
  id: number,
  recipients: readonly RecipientInput[],
  claim: KeyClaim | undefined,
): Promise<void> {
  const { db, clock, config } = deps;
  const series = await requireSeries(deps, sender, id);
  const { workspaceId, assigneeId, userId } = series;
  const envelope = series.envelope as unknown as SeriesEnvelope;
  checkLists({ envelope, recipients });
  const now = clock.now();
  const requestor = await requireAssignee(deps, sender, workspaceId, assigneeId ?? userId ?? sender.userId);
  const day = upcomingOf(series, now).nextOn ?? dayIn(requestor.timeZone, now);
  await checkTexts(deps, sender, { envelope, recipients, workspaceId, requestor, day });
  await insertSeriesRecipients(db, sender, series, recipients, {
    ...{ unchanged: requireSameOwner(db, sender), quotas: config.quotas, now: now.toISOString(), claim },
  }).catch(async (error: unknown) => {
    if (!isRecipientsRejected(error)) throw error;
    await requireSeries(deps, sender, id);
    throw appError("too_many_recipients", { params: { max: LIMITS.recipientsPerBulkSend } });
  });
}

/** @throws AppError `series_not_found`, `recipient_not_found`, `no_recipients`, `role_required` */
export async function removeRecipient(
  deps: Dependencies,
  member: Member,
  seriesId: number,
  recipientId: number,
): Promise<void> {
  const now = deps.clock.now().toISOString();
  await requireSeries(deps, member, seriesId);
  if (await deleteSeriesRecipient(deps.db, member, { seriesId, recipientId, now })) return;
  const rows = await listSeriesRecipients(deps.db, seriesId);
  throw appError(rows.some(({ id }) => id === recipientId) ? "no_recipients" : "recipient_not_found");
}

/** @throws AppError `series_not_found`, `role_required` */
export async function removeSeries(deps: Dependencies, member: Member, id: number): Promise<void> {
  const { db, clock, takeTurn } = deps;
  const series = await requireSeries(deps, member, id);
  if (!(await deleteSeries(db, member, series, { now: clock.now().toISOString(), takeTurn })))
    throw await missing(deps, member, "series_not_found", { kind: "series", id });
}
