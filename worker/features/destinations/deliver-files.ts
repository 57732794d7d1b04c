import { runBatch, type Statement } from "../../../db/client";
import {
  activateDestination,
  type Destination,
  findDestination,
  suspendDestination,
} from "../../../db/queries/destinations";
import {
  type ClaimedFile,
  claimFiles,
  delayOthers,
  type FileOutcome,
  recordDelivered,
  recordFile,
  takePath,
  updateClaimed,
} from "../../../db/queries/file-claims";
import { insertDestinationProblem } from "../../../db/queries/notifications";
import { insertFileEvent } from "../../../db/queries/webhook-events";
import { nextName } from "../../contract/delivery-path";
import type { RetryPolicy } from "../../contract/retry-policy";
import type { Dependencies } from "../../dependencies";
import { causes } from "../../errors";
import { DAY_MS, HOUR_MS } from "../../lib/durations";
import { SEALED_CONTEXTS, SecretKeyMissingError } from "../../ports/crypto";
import type { DestinationProblem, OutgoingFile, PutOutcome } from "../../ports/destination";
import { type Attempt, Delivery, type Outcome } from "../delivery/delivery-queue";
import { deliverSoon } from "../notifications/outbox";
import { openAccess } from "./open-destination";
import { type Content, contentOf } from "./outgoing-file";
import { passOn } from "./pass-on";

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
/** A claim is extended while its file is being sent. */
const CLAIM_MS = 3 * MINUTE_MS;
const RENEW_MS = 30 * SECOND_MS;
/** After a response, a Worker has 30 seconds: a run begins nothing after this time. */
const RUN_MS = 18 * SECOND_MS;
/** A destination that takes or says nothing for so long has failed. */
const IDLE_MS = 90 * SECOND_MS;
/** After a failed attempt that took so long, the other files of the destination wait for a while: it takes a slot from others. */
const SLOW_MS = 20 * SECOND_MS;
const SLOW_PAUSE_MS = 5 * MINUTE_MS;
/** Files that a process sends at once, and of one destination. */
const SLOTS = 6;
const SHARE = 1;
/** Of the 256 connections that Bun has for all calls to others: anybody's destinations may take a file for a day. */
const MOST = 48;
/** For recording what is being sent, and for the hourly jobs. */
const LEAVES_CALLS = 250;
/** Names that an attempt tries. */
const NAMES = 50;
const TAKEN = { kind: "taken" } as const;

/** Eight attempts within two days. */
const RETRIES: RetryPolicy = {
  delays: [5 * SECOND_MS, MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, 5 * HOUR_MS, 14 * HOUR_MS, 28 * HOUR_MS],
  givesUp: true,
  maxRetryAfter: DAY_MS,
};
const MAX_ATTEMPTS = RETRIES.delays.length + 1;

/** Where the file of a delivery goes, decided by its first attempt, and what continues it there. Earlier versions stored no hash. */
type Plan = {
  key: string;
  folder: string[];
  name: string;
  number: number;
  session: string | null;
  sha256?: string;
  /** Null for the first plan of a delivery. */
  startedAt?: string | null;
};

type FileAttempt = Attempt & {
  destination: Destination;
  outcome: PutOutcome | { kind: "gone" };
  /** Where it was written. */
  path: string | null;
  /** How long the others of the destination wait. */
  pauseMs: number;
};

/** Another process sends the file. */
class ClaimLostError extends Error {}

/** Delivers the files that are due, in turn over the destinations. */
export async function deliverFiles(deps: Dependencies): Promise<void> {
  const { db } = deps;
  const endsAt = Date.now() + RUN_MS;
  const delivery = new Delivery<ClaimedFile, FileAttempt>(deps, {
    queue: "files",
    name: "file",
    limits: {
      ...{ slots: SLOTS, share: SHARE, claimMs: CLAIM_MS },
      slotMs: deps.runLimits ? CLAIM_MS : Number.POSITIVE_INFINITY,
      ...{ slowMs: MINUTE_MS, most: MOST },
    },
    leavesCalls: LEAVES_CALLS,
    retries: RETRIES,
    // What stopping has interrupted is due at once: for the next server.
    claim: async (claim) => (deps.stopping?.aborted ? [] : claimFiles(db, claim)),
    send: (file, ending) => send(deps, file, endsAt, ending),
    record: (file, attempt, outcome) => record(deps, file, attempt, outcome),
    // What waited for the destination is due, or the manifest of the submission.
    onAnswer: async () => true,
  });
  await delivery.sendDue(endsAt);
}

async function send(
  deps: Dependencies,
  file: ClaimedFile,
  endsAt: number,
  ending: AbortSignal | undefined,
): Promise<FileAttempt | undefined> {
  const destination = await findDestination(deps.db, file.destinationId);
  if (!destination) return undefined;
  const started = Date.now();
  const { outcome, path } = await putFile(deps, destination, file, { endsAt, ending }).catch(
    (error: unknown) => {
      if (error instanceof ClaimLostError) return { outcome: null, path: null };
      deps.log.error("file not delivered", { deliveryId: file.id, error: causes(error) });
      return { outcome: { kind: "again", message: "Something went wrong here" } as const, path: null };
    },
  );
  if (!outcome) return undefined;
  const { retryAfterSeconds = 0 } = outcome as Partial<DestinationProblem>;
  // It was no fault of the destination.
  if (ending?.aborted && outcome.kind === "again")
    return { result: "postponed", retryAfterSeconds: 60, destination, outcome, path, pauseMs: 0 };
  const isSlow = outcome.kind === "again" && Date.now() - started > SLOW_MS;
  const pauseMs = Math.min(Math.max(retryAfterSeconds * SECOND_MS, isSlow ? SLOW_PAUSE_MS : 0), HOUR_MS);
  return { ...attemptOf(deps, outcome), destination, outcome, path, pauseMs };
}

function attemptOf({ stopping }: Dependencies, outcome: FileAttempt["outcome"]): Attempt {
  if (outcome.kind === "written") return { result: "sent" };
  if (outcome.kind === "gone") return { result: "rejected", permanent: true };
  // Its destination decides when it is tried again.
  if (
    outcome.kind === "reconnect" ||
    outcome.kind === "full" ||
    outcome.kind === "unfinished" ||
    stopping?.aborted
  )
    return { result: "postponed" };
  const { retryAfterSeconds } = outcome as Partial<DestinationProblem>;
  return { result: "rejected", ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) };
}

async function putFile(
  deps: Dependencies,
  destination: Destination,
  file: ClaimedFile,
  { endsAt, ending }: { endsAt: number; ending: AbortSignal | undefined },
) {
  const { db, clock, runLimits, stopping } = deps;
  if (file.attempts > MAX_ATTEMPTS) {
    const message = file.failureText ?? "The server stopped during every attempt";
    return { outcome: { kind: "again", message } as const, path: null };
  }
  const content = await contentOf(deps, file, destination);
  if (!content) return { outcome: { kind: "gone" } as const, path: null };
  const earlier = await readPlan(deps, file);
  // A page may list something else by now: nothing continues the earlier one, or is taken for it.
  const isSame = (earlier?.sha256 ?? content.sha256) === content.sha256;
  const plan = earlier && isSame ? earlier : newPlan(content, earlier ? clock.now().toISOString() : null);
  const { signal, sawBytes, end } = watchIdle(runLimits ? content.size : 0, [stopping, ending]);
  const save = async () => {
    sawBytes();
    const session = await deps.secretBox.seal(JSON.stringify(plan), SEALED_CONTEXTS.delivery(file.id));
    if (!(await updateClaimed(db, file, { session }))) throw new ClaimLostError();
  };
  const renew = setInterval(() => {
    const claimedUntil = new Date(clock.now().getTime() + CLAIM_MS).toISOString();
    updateClaimed(db, file, { claimedUntil }).then(
      (kept) => kept || end(),
      () => {},
    );
  }, RENEW_MS);
  try {
    await save();
    const kind = await deps.destinations[destination.kind]?.();
    if (!kind)
      return { outcome: { kind: "again", message: "This kind is not set up here" } as const, path: null };
    const access = await openAccess(deps, destination, signal);
    for (let tried = 0; tried < NAMES; tried += 1) {
      const name = nextName(plan.name, plan.number);
      const path = [...plan.folder, name].join("/");
      const outgoing: OutgoingFile = {
        ...{ id: plan.key, folder: plan.folder, name, session: plan.session },
        ...{ size: content.size, mimeType: content.mimeType, sha256: content.sha256 },
        startedAt: plan.startedAt ?? file.startedAt ?? file.createdAt,
        async saveSession(session) {
          plan.session = session;
          await save();
        },
        hasTime: () => !runLimits || (Date.now() < endsAt && runLimits.callsLeft() > LEAVES_CALLS),
        async read(range) {
          sawBytes();
          const bytes = await content.read(range);
          // On Workers, only an unchanged stream is sent with a Content-Length.
          return runLimits ? bytes : passOn(bytes, sawBytes, deps.takeTurn);
        },
      };
      const outcome = (await takePath(db, file, path)) ? await kind.put(access, outgoing) : TAKEN;
      if (outcome.kind !== "taken") return { outcome, path };
      plan.number += 1;
      await save();
    }
    return { outcome: { kind: "again", message: "All names are taken" } as const, path: null };
  } catch (error) {
    // Somebody has to connect it again, or to add the key.
    if (!(error instanceof SecretKeyMissingError)) throw error;
    return { outcome: { kind: "reconnect", message: error.message } as const, path: null };
  } finally {
    clearInterval(renew);
    end();
  }
}

/** A signal that is aborted once nothing has happened for too long, or by the others. */
function watchIdle(unseenBytes: number, others: (AbortSignal | undefined)[]) {
  const idle = new AbortController();
  const milliseconds = IDLE_MS + unseenBytes / 100;
  const late = () => idle.abort(new DOMException("No answer in time", "TimeoutError"));
  let timer = setTimeout(late, milliseconds);
  return {
    signal: AbortSignal.any([idle.signal, ...others.filter((other) => other !== undefined)]),
    sawBytes() {
      clearTimeout(timer);
      timer = setTimeout(late, milliseconds);
    },
    end() {
      clearTimeout(timer);
      idle.abort();
    },
  };
}

const newPlan = ({ folder, name, sha256 }: Content, startedAt: string | null): Plan => ({
  key: crypto.randomUUID().replaceAll("-", ""),
  folder,
  name,
  number: 1,
  session: null,
  sha256,
  startedAt,
});

/** The plan of an earlier attempt; it starts again if that cannot be read any more. */
async function readPlan(
  { secretBox, log }: Dependencies,
  { id, session }: ClaimedFile,
): Promise<Plan | null> {
  if (session === null) return null;
  try {
    return JSON.parse(await secretBox.open(session, SEALED_CONTEXTS.delivery(id)));
  } catch (error) {
    log.warn("delivery starts again", { id, error: String(error) });
    return null;
  }
}

async function record(
  deps: Dependencies,
  file: ClaimedFile,
  { destination, outcome, path, pauseMs }: FileAttempt,
  { status, ...result }: Outcome,
): Promise<void> {
  const { db, clock, log } = deps;
  const now = clock.now();
  const at = now.toISOString();
  const detail = `${destination.name}: ${path?.split("/").slice(0, -1).join("/") || "/"}`;
  const stored: FileOutcome =
    outcome.kind === "written"
      ? { state: "delivered", failure: null, failureText: null, path, url: outcome.url }
      : status === "failed"
        ? { state: "failed", ...failureOf(outcome), path: null }
        : { state: "waiting", ...failureOf(outcome), ...result };
  const isSuspended = outcome.kind === "reconnect" || outcome.kind === "full";
  const event =
    outcome.kind === "written"
      ? "file.delivered"
      : (stored.state === "failed" && outcome.kind !== "gone") ||
          (isSuspended && destination.state === "active")
        ? "destination.failed"
        : null;
  const until = new Date(now.getTime() + pauseMs).toISOString();
  if (pauseMs > 0) await delayOthers(db, file, { until, takeTurn: deps.takeTurn });
  await runBatch(db, [
    ...(event ? [insertFileEvent(db, event, { ...file, now: at, whileActive: isSuspended })] : []),
    recordFile(db, file, stored, at),
    ...(outcome.kind === "written"
      ? [activateDestination(db, destination.id), ...recordDelivered(db, file, { detail, now: at })]
      : []),
    ...problemStatements(deps, destination, { stored, outcome, now }),
  ]);
  if (event) deliverSoon(deps);
  log.info("file delivery attempted", {
    destinationId: destination.id,
    deliveryId: file.id,
    attempts: file.attempts,
    state: stored.state,
    failure: stored.failure,
  });
}

function failureOf(outcome: FileAttempt["outcome"]): Pick<FileOutcome, "failure" | "failureText"> {
  if (outcome.kind === "gone") return { failure: "deleted", failureText: null };
  if (!("message" in outcome)) return { failure: null, failureText: null };
  return { failure: outcome.kind === "again" ? "unreachable" : outcome.kind, failureText: outcome.message };
}

/** What a problem means for the destination, and who is told of it. */
function problemStatements(
  { db }: Dependencies,
  destination: Destination,
  { stored, outcome, now }: { stored: FileOutcome; outcome: FileAttempt["outcome"]; now: Date },
): Statement[] {
  const at = now.toISOString();
  const { id, state, updatedAt } = destination;
  const tell = (told: Pick<Parameters<typeof insertDestinationProblem>[2], "problem" | "reason" | "since">) =>
    insertDestinationProblem(db, destination, { ...told, now: at });
  if (outcome.kind === "reconnect" || outcome.kind === "full") {
    const retryAt = new Date(now.getTime() + HOUR_MS).toISOString();
    const suspended = suspendDestination(db, id, {
      ...{ state: outcome.kind, reason: outcome.message, retryAt, updatedAt },
    });
    if (state !== "active") return [suspended];
    return [tell({ problem: outcome.kind, reason: outcome.message, since: at }), suspended];
  }
  if (stored.state !== "failed" || outcome.kind === "gone") return [];
  // One mail a day, however many files fail.
  const since = `${updatedAt}:${at.slice(0, "2026-03-14".length)}`;
  return [tell({ problem: "failed", reason: stored.failureText ?? "", since })];
}
