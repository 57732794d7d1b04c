import * as z from "zod/mini";
import {
  activateDestination,
  type Destination,
  forgetFolders,
  insertDestination,
  isDestinationRejected,
  type NewDestination,
  restartDeliveries,
  updateDestination,
} from "../../../db/queries/destinations";
import type { Caller } from "../../../db/queries/envelope-events";
import { claimPendingGrant, insertPendingGrant } from "../../../db/queries/pending-grants";
import { DEFAULT_FOLDER_RULE } from "../../contract/delivery-path";
import { GRANTED_KINDS, type GrantedKind } from "../../contract/destination-kinds";
import { type foldersQuery, MAX_DESTINATION_NAME } from "../../contract/destinations";
import { PROVIDER_NAMES } from "../../contract/options";
import type { Dependencies } from "../../dependencies";
import { appError, causes, rejectedAs } from "../../errors";
import { MINUTE_MS } from "../../lib/durations";
import { DESTINATION_SCOPES, type OAuthProvider } from "../../lib/sign-in-providers";
import { storedTokens } from "../../lib/stored-tokens";
import { hashToken } from "../../lib/tokens";
import { SEALED_CONTEXTS } from "../../ports/crypto";
import type { DestinationCredentials } from "../../ports/destination";
import { authorize, redeemCode } from "../auth/oauth-client";
import { requireWorkspace } from "../workspaces/workspaces.service";
import { deliverFilesSoon } from "./deliver-soon";
import { activity, problemError, rejection, requireDestination, requireRoom } from "./destinations.service";
import { loadDestination, openAccess, sealCredentials, unstoredAccess } from "./open-destination";

/** How long somebody may stay at the provider. */
const GRANT_MS = 10 * MINUTE_MS;
const ACCOUNT_MS = 10_000;
const FOLDERS_MS = 30_000;

/** What lets the app deliver while nobody is signed in, and the person choose among accounts. */
const PARAMETERS: Record<GrantedKind, Record<string, string>> = {
  google: { access_type: "offline", prompt: "consent" },
  microsoft: { prompt: "select_account" },
};

const pendingGrant = z.object({
  kind: z.enum(GRANTED_KINDS),
  workspaceId: z.number(),
  destinationId: z.optional(z.number()),
  codeVerifier: z.string(),
});
type PendingGrant = z.output<typeof pendingGrant>;

/** Who connects, and the session that has to return from the provider. */
type Connecting = { member: Caller; sid: string };

/** @returns the provider's page. @throws AppError `destination_unavailable`, `destination_not_found`, `too_many_destinations` */
export async function beginConnecting(
  deps: Dependencies,
  { member, sid }: Connecting,
  target: Omit<PendingGrant, "codeVerifier">,
): Promise<string> {
  const { db, clock, secretBox } = deps;
  const { kind } = target;
  const provider = requireProvider(deps, kind);
  await requirePossible(deps, member, target);
  const { url, checks } = await authorize(provider, redirectUri(deps.config, kind), DESTINATION_SCOPES[kind]);
  for (const [name, value] of Object.entries(PARAMETERS[kind])) url.searchParams.set(name, value);
  const { state, codeVerifier } = checks;
  const now = clock.now();
  await insertPendingGrant(db, {
    ...{ userId: member.userId, sid, tokenHash: await hashToken(state) },
    sealed: await secretBox.seal(JSON.stringify({ ...target, codeVerifier }), SEALED_CONTEXTS.grant(sid)),
    createdAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + GRANT_MS).toISOString(),
  });
  return url.href;
}

/**
 * Stores the access that somebody has given at the provider.
 * @returns the destination: a new one, paused until its folder is chosen, or the one that was connected again
 * @throws AppError `challenge_ended` for a state that is used, expired or of another session, `sign_in_failed`; as
 *   `beginConnecting`
 */
export async function finishConnecting(
  deps: Dependencies,
  { member, sid }: Connecting,
  kind: GrantedKind,
  { state = "", code }: { state?: string | undefined; code?: string | undefined },
): Promise<number> {
  const { db, clock, secretBox } = deps;
  const now = clock.now().toISOString();
  const tokenHash = await hashToken(state);
  const sealed = await claimPendingGrant(db, { userId: member.userId, sid, tokenHash }, now);
  if (sealed === undefined) throw appError("challenge_ended");
  const opened = await secretBox.open(sealed, SEALED_CONTEXTS.grant(sid));
  const { codeVerifier, ...target } = pendingGrant.parse(JSON.parse(opened));
  if (target.kind !== kind) throw appError("challenge_ended");
  if (!code) throw appError("sign_in_failed");
  const provider = requireProvider(deps, kind);
  const before = await requirePossible(deps, member, target);
  const credentials = await redeem(deps, kind, provider, { code, codeVerifier });
  const account = await accountOf(deps, kind, credentials);
  const granted = {
    credentials: await sealCredentials(deps, target.workspaceId, credentials),
    ...{ account, connectedBy: member.userId, updatedAt: now },
  };
  if (!before) return insertPaused(deps, { member, sid }, { ...target, ...granted, createdAt: now });
  const { id, name, workspaceId } = before;
  const update = updateDestination(db, member, id, granted, {
    sid,
    recorded: [
      activateDestination(db, id),
      // Another account has other folders.
      ...(before.account === account ? [] : [forgetFolders(db, id), restartDeliveries(db, id)]),
      ...activity(deps, member, "destination.changed", { workspaceId, name }),
    ],
  });
  await update.catch(rejectedAs(isDestinationRejected, "unauthenticated"));
  deliverFilesSoon(deps);
  return id;
}

type Granted = Pick<
  NewDestination,
  "kind" | "workspaceId" | "credentials" | "connectedBy" | "createdAt" | "updatedAt"
> & {
  account: string;
};

/** A destination that waits for its folder, with the account as its name. */
async function insertPaused(
  deps: Dependencies,
  { member, sid }: Connecting,
  { account, ...granted }: Granted,
): Promise<number> {
  const name = account.slice(0, MAX_DESTINATION_NAME);
  const { workspaceId } = granted;
  const recorded = activity(deps, member, "destination.created", { workspaceId, name });
  const row = {
    ...{ ...granted, account, name, settings: null, folderRule: DEFAULT_FOLDER_RULE },
    ...({ deliveredWhen: "submitted", includeAnswers: true, state: "paused" } as const),
  };
  const insert = insertDestination(deps.db, member, row, { sid, recorded });
  return (await insert.catch(rejection(deps, member, workspaceId))).id;
}

/** The app at the provider. @throws AppError `destination_unavailable` */
function requireProvider({ config, destinations }: Dependencies, kind: GrantedKind): OAuthProvider {
  const provider = config.signInProviders.find(({ name }) => name === kind);
  if (!provider || provider.name === "oidc" || !destinations[kind]) throw appError("destination_unavailable");
  return provider;
}

/** @returns the destination that is connected again; undefined for a new one, for which the workspace has room */
async function requirePossible(
  deps: Dependencies,
  member: Caller,
  { kind, workspaceId, destinationId }: Omit<PendingGrant, "codeVerifier">,
): Promise<Destination | undefined> {
  await requireWorkspace(deps, member, workspaceId);
  if (destinationId === undefined) {
    await requireRoom(deps, workspaceId);
    return undefined;
  }
  const { destination } = await requireDestination(deps, member, destinationId);
  if (destination.kind !== kind || destination.workspaceId !== workspaceId)
    throw appError("destination_not_found");
  return destination;
}

/** @returns what is stored of the tokens that the provider gives for the code. @throws AppError `sign_in_failed` */
async function redeem(
  { config, clock, log }: Dependencies,
  kind: GrantedKind,
  provider: OAuthProvider,
  { code, codeVerifier }: { code: string; codeVerifier: string },
): Promise<DestinationCredentials> {
  try {
    const tokens = await redeemCode(provider, redirectUri(config, kind), code, { codeVerifier });
    if (!tokens.hasRefreshToken()) throw new Error("There is no refresh token");
    return storedTokens(tokens, clock);
  } catch (error) {
    log.error("destination not connected", { kind, error: causes(error) });
    throw appError("sign_in_failed");
  }
}

/** Whose grant it is. That a provider does not say it is no reason to reject the grant. */
async function accountOf(
  deps: Dependencies,
  kind: GrantedKind,
  credentials: DestinationCredentials,
): Promise<string> {
  const destination = await loadDestination(deps, kind);
  const access = unstoredAccess({ settings: {}, credentials }, AbortSignal.timeout(ACCOUNT_MS));
  const found = await destination.account?.(access);
  return (found?.kind === "account" && found.name?.trim()) || PROVIDER_NAMES[kind];
}

/** A page of folders. @throws AppError `destination_not_found`, `role_required`, `folder_not_found`, `destination_refused` … */
export async function listFolders(
  deps: Dependencies,
  member: Caller,
  id: number,
  query: z.output<typeof foldersQuery>,
) {
  const { destination } = await requireDestination(deps, member, id);
  const kind = await loadDestination(deps, destination.kind);
  const access = await openAccess(deps, destination, AbortSignal.timeout(FOLDERS_MS));
  const found = (await kind.folders?.(access, query)) ?? { kind: "missing" as const };
  if (found.kind === "missing") throw appError("folder_not_found");
  if (found.kind !== "folders") throw problemError(found);
  return found;
}

const redirectUri = ({ publicUrl }: Dependencies["config"], kind: GrantedKind) =>
  `${publicUrl}/api/destinations/callback/${kind}`;
