import { runBatch, type Statement } from "../../../db/client";
import {
  activateDestination,
  addSettings,
  closeDestination,
  countDestinations,
  type Destination,
  deleteDestination,
  findListedDestination,
  hasSameAccount,
  insertDestination,
  isDestinationChanged,
  isDestinationRejected,
  listDestinations,
  restartDeliveries,
  updateDestination,
} from "../../../db/queries/destinations";
import {
  countEarlier,
  countEnvelopes,
  hasManyDeliveries,
  listFileDeliveries,
  queueEarlier,
  requeueFile,
} from "../../../db/queries/file-deliveries";
import type { Member } from "../../../db/queries/members";
import type { User } from "../../../db/queries/users";
import { activityTarget, insertActivity } from "../../../db/queries/workspace-activity";
import type { ActivityType } from "../../contract/activity";
import { DESTINATION_KINDS, type DestinationKind } from "../../contract/destination-kinds";
import {
  DESTINATION_CREDENTIALS,
  DESTINATION_SETTINGS,
  type DestinationChanges,
  type DestinationInput,
  type DestinationSettings,
  destinationResponse,
  MAX_DESTINATIONS,
} from "../../contract/destinations";
import { fieldsOf } from "../../contract/fields";
import { MESSAGES } from "../../contract/messages";
import type { Dependencies } from "../../dependencies";
import { appError, rejectedAs, validationError } from "../../errors";
import { isPublicUrl } from "../../lib/public-address";
import type { DestinationCredentials, DestinationProblem } from "../../ports/destination";
import { isAdministrator } from "../sign-in-policy/sign-in-policy";
import { missing, requireWorkspace } from "../workspaces/workspaces.service";
import { deliverFilesSoon } from "./deliver-soon";
import { fileDeliveryView } from "./file-delivery-view";
import { loadDestination, openAccess, sealCredentials, unstoredAccess } from "./open-destination";

/** For all calls of a test there. */
const CHECK_MS = 40_000;

/** Who changes destinations. */
export type DestinationOwner = { user: User; sid: string; member: Member };
type Listed = NonNullable<Awaited<ReturnType<typeof findListedDestination>>>;
type Place = Pick<Destination, "kind" | "workspaceId"> & {
  settings: DestinationSettings;
  credentials: DestinationCredentials;
};

/** A destination as owners see it, without its secrets. */
export const destinationView = ({ destination, ...counts }: Listed) =>
  fieldsOf(destinationResponse, {
    ...destination,
    ...counts,
    when: destination.deliveredWhen,
    settings: Object.fromEntries(
      Object.entries(destination.settings ?? {}).flatMap(([name, value]) =>
        value === undefined || name === "placedBy" ? [] : [[name, value]],
      ),
    ),
  });

/** @throws AppError `destination_not_found`, `role_required` */
export async function requireDestination(deps: Dependencies, member: Member, id: number): Promise<Listed> {
  const found = await findListedDestination(deps.db, member, id);
  if (!found) throw await missing(deps, member, "destination_not_found", { kind: "destination", id });
  return found;
}

/** The caller's destinations, or those of a workspace. @throws AppError `workspace_not_found`, `role_required` */
export async function readDestinations(deps: Dependencies, member: Member, workspaceId: number | undefined) {
  if (workspaceId !== undefined) await requireWorkspace(deps, member, workspaceId);
  return (await listDestinations(deps.db, member, workspaceId, deps.takeTurn)).map(destinationView);
}

/**
 * Creates a destination after it has been tried.
 * @throws AppError `validation`, `workspace_not_found`, `role_required`, `administrators_only`, `destination_unavailable`,
 * `destination_denied`, `destination_missing`, `destination_refused`, `destination_unreachable`, `too_many_destinations`
 */
export async function createDestination(
  deps: Dependencies,
  owner: DestinationOwner,
  input: DestinationInput,
) {
  const { db, clock } = deps;
  const { member } = owner;
  const { kind, name, settings, when, folderRule, includeAnswers } = input;
  const workspaceId = await requireWorkspace(deps, member, input.workspaceId);
  const credentials: DestinationCredentials = input.credentials;
  requireAllowed(deps, owner, kind);
  requirePublic(deps, kind, settings);
  await requireRoom(deps, workspaceId);
  const added = await requireWorking(deps, member, { kind, workspaceId, settings, credentials });
  const now = clock.now().toISOString();
  const row = {
    ...{ workspaceId, kind, name, folderRule, includeAnswers, deliveredWhen: when },
    settings: { ...settings, ...added },
    account: credentials.accessKeyId ?? credentials.user ?? null,
    credentials: await sealCredentials(deps, workspaceId, credentials),
    connectedBy: member.userId,
    ...{ createdAt: now, updatedAt: now },
  };
  const recorded = activity(deps, member, "destination.created", { workspaceId, name });
  const insert = insertDestination(db, member, row, { sid: owner.sid, recorded });
  const destination = await insert.catch(rejection(deps, member, workspaceId));
  return destinationView({ destination, waiting: 0, retried: 0, failed: 0 });
}

/** @throws AppError `too_many_destinations` */
export async function requireRoom({ db }: Dependencies, workspaceId: number): Promise<void> {
  const max = MAX_DESTINATIONS;
  if ((await countDestinations(db, workspaceId)) >= max)
    throw appError("too_many_destinations", { params: { max } });
}

/** Throws why a destination was not stored, if that is no failure. */
export const rejection =
  (deps: Dependencies, member: Member, workspaceId: number) => async (error: unknown) => {
    if (!isDestinationRejected(error)) throw error;
    await requireWorkspace(deps, member, workspaceId);
    await requireRoom(deps, workspaceId);
    throw appError("unauthenticated");
  };

/** @throws AppError like `createDestination`, and `destination_not_found`, `changed_meanwhile` */
export async function changeDestination(
  deps: Dependencies,
  owner: DestinationOwner,
  id: number,
  changes: DestinationChanges,
) {
  const { member } = owner;
  const { destination } = await requireDestination(deps, member, id);
  const { kind, workspaceId } = destination;
  const { name, when, folderRule, includeAnswers } = changes;
  const settings = parsed(SETTINGS[kind], changes.settings, "settings");
  const credentials = parsed(CREDENTIALS[kind], changes.credentials, "credentials");
  let added: DestinationSettings | undefined;
  if (settings || credentials) {
    requireAllowed(deps, owner, kind);
    if (settings) requirePublic(deps, kind, settings);
    if (settings && !credentials) requireSameServer(destination, settings);
    added = await requireWorking(deps, member, destination, { settings, credentials });
  }
  // A new one waits for its folder, and one that was tried works again.
  const begins = (settings && destination.settings === null) || (credentials && destination.retryAt !== null);
  const state = changes.state ?? (begins ? "active" : undefined);
  const columns = {
    ...{ name, folderRule, includeAnswers, deliveredWhen: when },
    // Whoever changes one of both does not take the other over: see `pauseDestinationsOf`.
    ...(settings && { settings: { ...settings, ...added, placedBy: String(member.userId) } }),
    ...(credentials &&
      !settings &&
      destination.connectedBy !== null && {
        settings: { placedBy: String(destination.connectedBy), ...destination.settings },
      }),
    ...(credentials && {
      connectedBy: member.userId,
      credentials: await sealCredentials(deps, workspaceId, credentials),
      account: credentials.accessKeyId ?? credentials.user ?? null,
    }),
    ...(state && { state, stateReason: null, retryAt: null }),
    updatedAt: deps.clock.now().toISOString(),
  };
  const recorded = [
    // Its folders are remembered by their place, and the test has made the first one.
    ...(settings ? [restartDeliveries(deps.db, id)] : []),
    ...activity(deps, member, "destination.changed", { workspaceId, name: name ?? destination.name }),
  ];
  // What was tried together. Access of somebody who has signed in there is renewed meanwhile, and is sent nowhere else.
  const stays = CREDENTIALS[kind] && {
    ...(settings && !credentials && { credentials: destination.credentials }),
    ...(credentials && !settings && { settings: destination.settings }),
  };
  const written = await updateDestination(deps.db, member, id, columns, { sid: owner.sid, recorded, stays })
    .catch(rejectedAs(isDestinationRejected, "unauthenticated"))
    .catch(rejectedAs(isDestinationChanged, "changed_meanwhile"));
  const changed = destinationView(written ?? (await requireDestination(deps, member, id)));
  if (changed.waiting > 0) deliverFilesSoon(deps);
  return changed;
}

/** Deletes a destination. What was delivered stays there. @throws AppError `destination_not_found`, `role_required` */
export async function removeDestination(deps: Dependencies, member: Member, id: number): Promise<void> {
  const { destination } = await requireDestination(deps, member, id);
  const recorded = activity(deps, member, "destination.deleted", destination);
  const deleted = (await hasManyDeliveries(deps.db, member, id))
    ? await closeDestination(deps.db, member, id, { recorded, now: deps.clock.now().toISOString() })
    : await deleteDestination(deps.db, member, id, recorded);
  if (!deleted) throw appError("destination_not_found");
  deps.background.run("revoke access", async () => {
    if (await hasSameAccount(deps.db, destination)) return;
    const kind = await deps.destinations[destination.kind]?.();
    await kind?.revoke?.(await openAccess(deps, destination, AbortSignal.timeout(CHECK_MS)));
  });
}

/** Tries a destination. If it works, what waits for it is delivered. @throws AppError `destination_not_found` */
export async function testDestination(deps: Dependencies, member: Member, id: number) {
  const { destination } = await requireDestination(deps, member, id);
  if (!deps.destinations[destination.kind])
    return { ok: false as const, code: "destination_unavailable" as const, message: "" };
  const result = await check(deps, member, destination);
  if (result.kind !== "works") return { ok: false as const, code: codeOf(result), message: result.message };
  await runBatch(deps.db, [
    activateDestination(deps.db, id),
    ...(result.settings ? [addSettings(deps.db, id, result.settings)] : []),
  ]);
  deliverFilesSoon(deps);
  return { ok: true as const, path: result.path };
}

/** The kinds that the operator has set up, of which a folder is for administrators. */
export const readKinds = ({ config, destinations }: Dependencies, user: User): DestinationKind[] =>
  DESTINATION_KINDS.filter(
    (kind) => destinations[kind] && (kind !== "folder" || isAdministrator(config, user)),
  );

/** Counts what `backfill` would queue. @throws AppError `destination_not_found` */
export async function countBackfill(
  deps: Dependencies,
  member: Member,
  id: number,
  { from }: { from?: string | undefined },
) {
  await requireDestination(deps, member, id);
  return countEarlier(deps.db, member, id, { from: from && timeOf(from), takeTurn: deps.takeTurn });
}

const timeOf = (date: string) => new Date(date).toISOString();

/** Queues earlier files. @throws AppError `destination_not_found`, `envelope_not_found` */
export async function backfill(
  deps: Dependencies,
  member: Member,
  id: number,
  { from, requestIds }: { from?: string | undefined; requestIds?: number[] | undefined },
) {
  const { destination } = await requireDestination(deps, member, id);
  const envelopeIds = requestIds && [...new Set(requestIds)];
  if (envelopeIds && (await countEnvelopes(deps.db, destination, envelopeIds)) < envelopeIds.length)
    throw appError("envelope_not_found");
  const queued = await queueEarlier(deps.db, member, id, {
    ...{ from: from && timeOf(from), envelopeIds },
    ...{ now: deps.clock.now().toISOString(), takeTurn: deps.takeTurn },
  });
  deliverFilesSoon(deps);
  return queued;
}

/** A page of the log. @throws AppError `destination_not_found` */
export async function readLog(
  deps: Dependencies,
  member: Member,
  id: number,
  query: Parameters<typeof listFileDeliveries>[3],
) {
  await requireDestination(deps, member, id);
  const { rows, next } = await listFileDeliveries(deps.db, member, id, query);
  return { rows: rows.map(fileDeliveryView), next };
}

/** Delivers again, with all attempts. @throws AppError `destination_not_found`, `not_found` */
export async function redeliverFile(deps: Dependencies, member: Member, id: number, deliveryId: number) {
  await requireDestination(deps, member, id);
  const now = deps.clock.now().toISOString();
  const entry = await requeueFile(deps.db, member, id, { id: deliveryId, now });
  if (!entry) throw appError("not_found");
  deliverFilesSoon(deps);
  return fileDeliveryView(entry);
}

/** @throws AppError `destination_unavailable`, `administrators_only` */
function requireAllowed(
  { config, destinations }: Dependencies,
  { user }: DestinationOwner,
  kind: DestinationKind,
) {
  if (!destinations[kind]) throw appError("destination_unavailable");
  if (kind === "folder" && !isAdministrator(config, user)) throw appError("administrators_only");
}

/** @throws AppError `validation` for an address that is not public */
function requirePublic(
  { config }: Dependencies,
  kind: DestinationKind,
  { url, endpoint }: DestinationSettings,
): void {
  const address = kind === "webdav" ? url : kind === "s3" ? endpoint : undefined;
  if (address === undefined) return;
  const target = new URL(address);
  const allowed = config.allowsPrivateWebhooks
    ? target.protocol === "https:" || target.protocol === "http:"
    : isPublicUrl(target);
  if (!allowed || target.username || target.password)
    throw validationError([
      { path: kind === "webdav" ? "settings.url" : "settings.endpoint", message: MESSAGES.invalidWebhookUrl },
    ]);
}

/** Nobody can read the stored password by having it sent to a server of their own. @throws AppError `validation` */
function requireSameServer({ settings }: Destination, { url }: DestinationSettings): void {
  if (url === undefined || new URL(url).origin === new URL(settings?.url ?? url).origin) return;
  throw validationError(
    ["user", "password"].map((name) => ({ path: `credentials.${name}`, message: MESSAGES.answerRequired })),
  );
}

/** Of each kind; none of those that a person connects by signing in there. */
const SETTINGS: Readonly<Record<DestinationKind, Schema<DestinationSettings>>> = DESTINATION_SETTINGS;
const CREDENTIALS: Readonly<Partial<Record<DestinationKind, Schema<DestinationCredentials>>>> =
  DESTINATION_CREDENTIALS;

type Schema<Value> = {
  safeParse(
    input: unknown,
  ):
    | { success: true; data: Value }
    | { success: false; error: { issues: { path: PropertyKey[]; message: string }[] } };
};

/** The value by the schema of its kind. @throws AppError `validation` */
function parsed<Value>(schema: Schema<Value> | undefined, input: unknown, name: string): Value | undefined {
  if (input === undefined || !schema) return undefined;
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  throw validationError(
    result.error.issues.map(({ path, message }) => ({ path: [name, ...path].join("."), message })),
  );
}

const codeOf = ({ kind }: DestinationProblem) =>
  kind === "again" ? ("destination_unreachable" as const) : ("destination_refused" as const);
const errorOf = (problem: DestinationProblem) => {
  if (problem.kind === "reconnect") return "destination_denied";
  return problem.kind === "missing" ? "destination_missing" : codeOf(problem);
};

/** @returns settings to store besides @throws AppError `destination_denied`, `destination_missing`, `destination_refused`, `destination_unreachable` */
async function requireWorking(...place: Parameters<typeof check>): Promise<DestinationSettings | undefined> {
  const result = await check(...place);
  if (result.kind !== "works") throw problemError(result);
  return result.settings;
}

/** What a call responds with if a destination did not do it. */
export const problemError = (problem: DestinationProblem) =>
  appError(errorOf(problem), { params: { reason: problem.message } });

async function check(
  deps: Dependencies,
  { userId }: Member,
  destination: Destination | Place,
  changed: {
    settings?: DestinationSettings | undefined;
    credentials?: DestinationCredentials | undefined;
  } = {},
) {
  const kind = await loadDestination(deps, destination.kind);
  return deps.memory.destinationChecks.run([String(userId)], async () => {
    const signal = AbortSignal.timeout(CHECK_MS);
    const stored =
      "id" in destination ? await openAccess(deps, destination, signal) : unstoredAccess(destination, signal);
    const { settings = stored.settings, credentials = stored.credentials } = changed;
    // The file that a test has left in this folder is looked for again.
    const { marker } = settings.path === stored.settings.path ? stored.settings : settings;
    return kind.check({ ...stored, settings: { ...settings, marker }, credentials });
  });
}

/** The statements that record in the activity of its workspace what was done with a destination. */
export function activity(
  { db, clock }: Dependencies,
  member: Member,
  type: Extract<ActivityType, `destination.${string}`>,
  { workspaceId, name }: { workspaceId: number; name: string },
): Statement[] {
  const now = clock.now().toISOString();
  return [insertActivity(db, member, { workspaceId, type, target: activityTarget({ name }), now })];
}
