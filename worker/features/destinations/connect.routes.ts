import { Hono } from "hono";
import type { AppEnv } from "../../app-env";
import { GRANTED_KINDS, type GrantedKind } from "../../contract/destination-kinds";
import { connectInput, connectResponse, folderResponse, foldersQuery } from "../../contract/destinations";
import { appError } from "../../errors";
import { describe, respond } from "../../middleware/describe";
import { toAppError } from "../../middleware/error-response";
import { linkNextPage } from "../../middleware/list-pages";
import { countTry, limitByAddress } from "../../middleware/rate-limit";
import { requireRecentSignIn } from "../../middleware/recent-sign-in";
import { asOwner, currentSession, forSessions, forUsers } from "../../middleware/session";
import { idOf, jsonBody, query } from "../../middleware/validate";
import { RATE_RULES } from "../rate-limits/rate-rules";

const loadService = () => import("./connect.service");

/** Registered by name, as the callbacks of a sign-in. */
const CALLBACK_PATHS = GRANTED_KINDS.map((kind) => `/callback/${kind}` as const);

/** Connects a destination by signing in there. It begins with a POST; only the session that has sent it can finish. */
export const connectRoutes = new Hono<AppEnv>()
  .post(
    "/connect",
    forSessions("Start to connect a destination by signing in there", { 200: connectResponse }, [
      ...(["workspace_not_found", "role_required", "destination_not_found"] as const),
      ...(["destination_unavailable", "too_many_destinations"] as const),
    ]),
    requireRecentSignIn,
    jsonBody(connectInput),
    async (c) => {
      const { beginConnecting } = await loadService();
      const owner = { member: asOwner(c), sid: c.var.sid };
      return respond(c, { url: await beginConnecting(c.var.deps, owner, c.req.valid("json")) });
    },
  )
  .on(
    "GET",
    CALLBACK_PATHS,
    describe("Finish connecting a destination", { 302: null }),
    limitByAddress(RATE_RULES.providerCallbacks),
    async (c) => {
      const { deps } = c.var;
      const kind = c.req.path.split("/").at(-1) as GrantedKind;
      try {
        const session = await currentSession(c);
        if (!session) throw appError("unauthenticated");
        const { user, sid } = session;
        const member = { userId: user.id, role: "owner", address: c.env.clientAddress } as const;
        const { code, state } = c.req.query();
        const { finishConnecting } = await loadService();
        const id = await finishConnecting(deps, { member, sid }, kind, { code, state });
        deps.log.info("destination connected", { userId: user.id, destinationId: id, kind });
        return c.redirect(`/integrations?destination=${id}`);
      } catch (error) {
        // A browser follows this redirect, so failures lead to a page that explains them.
        const { code, message } = toAppError(error);
        deps.log.info("destination not connected", { kind, code, reason: message });
        return c.redirect(`/integrations?error=${code}`);
      }
    },
  )
  .get(
    "/:id/folders",
    forUsers("List the folders that a destination can use", { 200: [folderResponse] }, [
      ...(["destination_not_found", "role_required", "destination_unavailable"] as const),
      ...([
        "folder_not_found",
        "destination_denied",
        "destination_refused",
        "destination_unreachable",
      ] as const),
    ]),
    query(foldersQuery),
    async (c) => {
      await countTry(c, RATE_RULES.webhookTries, String(c.var.user.id));
      const { listFolders } = await loadService();
      const id = idOf(c);
      const { rows, next } = await listFolders(c.var.deps, asOwner(c), id, c.req.valid("query"));
      linkNextPage(c, next ?? null);
      return respond(c, rows);
    },
  );
