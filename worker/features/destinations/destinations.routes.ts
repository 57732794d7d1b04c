import { Hono } from "hono";
import type { AppEnv } from "../../app-env";
import {
  backfillInput,
  backfillQuery,
  backfillResponse,
  destinationChanges,
  destinationInput,
  destinationKindsResponse,
  destinationResponse,
  destinationsQuery,
  destinationTestResponse,
  fileDeliveriesQuery,
  fileDeliveryResponse,
} from "../../contract/destinations";
import type { ErrorCode } from "../../contract/errors";
import { SERVER_LIMITS } from "../../contract/limits";
import { respond, whenDone } from "../../middleware/describe";
import { noIdempotencyKey } from "../../middleware/idempotency";
import { linkNextPage } from "../../middleware/list-pages";
import { countTry } from "../../middleware/rate-limit";
import { requireRecentSession, requireRecentSignIn } from "../../middleware/recent-sign-in";
import { asOwner, forSessions, forUsers } from "../../middleware/session";
import { idOf, jsonBody, optionalJsonBody, query } from "../../middleware/validate";
import { RATE_RULES } from "../rate-limits/rate-rules";

const GONE = ["destination_not_found", "role_required"] as const;
const TRIED = [
  ...(["administrators_only", "destination_unavailable"] as const),
  ...([
    "destination_denied",
    "destination_missing",
    "destination_refused",
    "destination_unreachable",
  ] as const),
] as const satisfies ErrorCode[];
const loadService = () => import("./destinations.service");

/** Places outside to which the submitted files of a workspace are copied. */
export const destinationRoutes = new Hono<AppEnv>()
  .get(
    "/",
    forUsers("List the file destinations", { 200: [destinationResponse] }, [
      "workspace_not_found",
      "role_required",
    ]),
    query(destinationsQuery),
    async (c) => {
      const { readDestinations } = await loadService();
      return respond(c, await readDestinations(c.var.deps, asOwner(c), c.req.valid("query").workspaceId));
    },
  )
  .get(
    "/kinds",
    forUsers("List the kinds of file destinations that can be added", { 200: destinationKindsResponse }),
    async (c) => {
      const { readKinds } = await loadService();
      return respond(c, { kinds: readKinds(c.var.deps, c.var.user) });
    },
  )
  .post(
    "/",
    forSessions(
      "Create a file destination",
      { 201: destinationResponse },
      ["workspace_not_found", "role_required", "too_many_destinations", ...TRIED],
      { details: "It is tried first: a small file is written, checked and removed." },
    ),
    requireRecentSignIn,
    noIdempotencyKey,
    jsonBody(destinationInput),
    async (c) => {
      const { user, sid, deps } = c.var;
      await countTry(c, RATE_RULES.webhookTries, String(user.id));
      const { createDestination } = await loadService();
      const created = await createDestination(deps, { user, sid, member: asOwner(c) }, c.req.valid("json"));
      deps.log.info("destination created", { userId: user.id, destinationId: created.id });
      return respond(c, created);
    },
  )
  .patch(
    "/:id",
    forSessions("Change a file destination", { 200: destinationResponse }, [
      ...GONE,
      ...TRIED,
      ...(["reauthentication_required", "changed_meanwhile"] as const),
    ]),
    jsonBody(destinationChanges),
    async (c) => {
      const { user, sid, deps } = c.var;
      const id = idOf(c);
      const { name, state, ...decisive } = c.req.valid("json");
      if (Object.values(decisive).some((value) => value !== undefined)) await requireRecentSession(c.var);
      if (decisive.settings || decisive.credentials)
        await countTry(c, RATE_RULES.webhookTries, String(user.id));
      const { changeDestination } = await loadService();
      const owner = { user, sid, member: asOwner(c) };
      return respond(c, await changeDestination(deps, owner, id, c.req.valid("json")));
    },
  )
  .delete(
    "/:id",
    forSessions("Delete a file destination", { 204: null }, GONE, {
      details: "What was delivered stays there. What waits is not delivered any more.",
    }),
    requireRecentSignIn,
    async (c) => {
      const { removeDestination } = await loadService();
      return whenDone(c, removeDestination(c.var.deps, asOwner(c), idOf(c)));
    },
  )
  .post(
    "/:id/test",
    forUsers("Test a file destination", { 200: destinationTestResponse }, GONE, {
      details: "If it works, what waited for it is delivered.",
    }),
    async (c) => {
      const id = idOf(c);
      await countTry(c, RATE_RULES.webhookTries, String(c.var.user.id));
      const { testDestination } = await loadService();
      return respond(c, await testDestination(c.var.deps, asOwner(c), id));
    },
  )
  .get(
    "/:id/backfill",
    forUsers("Count earlier files that are not delivered", { 200: backfillResponse }, GONE),
    query(backfillQuery),
    async (c) => {
      const id = idOf(c);
      await countTry(c, RATE_RULES.webhookTries, String(c.var.user.id));
      const { countBackfill } = await loadService();
      return respond(c, await countBackfill(c.var.deps, asOwner(c), id, c.req.valid("query")));
    },
  )
  .post(
    "/:id/backfill",
    forUsers("Deliver earlier files", { 202: backfillResponse }, [...GONE, "envelope_not_found"], {
      details: "Counts the files that this call has queued.",
    }),
    optionalJsonBody(backfillInput),
    async (c) => {
      await countTry(c, RATE_RULES.webhookTries, String(c.var.user.id));
      const { backfill } = await loadService();
      const id = idOf(c);
      return respond(c, await backfill(c.var.deps, asOwner(c), id, c.req.valid("json")));
    },
  )
  .get(
    "/:id/deliveries",
    forUsers("List the deliveries of a file destination", { 200: [fileDeliveryResponse] }, GONE),
    query(fileDeliveriesQuery),
    async (c) => {
      const { readLog } = await loadService();
      const { limit = SERVER_LIMITS.deliveriesPage, ...which } = c.req.valid("query");
      const page = await readLog(c.var.deps, asOwner(c), idOf(c), {
        ...which,
        limit: Math.min(limit, SERVER_LIMITS.deliveriesPage),
      });
      linkNextPage(c, page.next);
      return respond(c, page.rows);
    },
  )
  .post(
    "/:id/deliveries/:deliveryId/redeliver",
    forUsers("Deliver a file again", { 200: fileDeliveryResponse }, [...GONE, "not_found"]),
    async (c) => {
      const id = idOf(c);
      const deliveryId = idOf(c, "deliveryId");
      await countTry(c, RATE_RULES.webhookTries, String(c.var.user.id));
      const { redeliverFile } = await loadService();
      return respond(c, await redeliverFile(c.var.deps, asOwner(c), id, deliveryId));
    },
  );
