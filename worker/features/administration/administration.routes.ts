import type { Context } from "hono";
import { Hono } from "hono";
import { listAccounts } from "../../../db/queries/accounts";
import { type Actor, listAuditEntries } from "../../../db/queries/audit-log";
import { listInvitations } from "../../../db/queries/invitations";
import type { AppEnv, SignedInEnv } from "../../app-env";
import { accountsQuery, auditQuery, invitationInput, quotaInput } from "../../contract/administration";
import { RATE_RULES } from "../../lib/rate-rules";
import { requireAdministrator } from "../../middleware/administrator";
import { describe } from "../../middleware/describe";
import { linkNextPage } from "../../middleware/next-page";
import { countTry } from "../../middleware/rate-limit";
import { jsonBody, query, requireJson, rowIdParam } from "../../middleware/validate";
import { tryDeletePendingFiles } from "../files/file-deletions";
import { deliverSoon } from "../notifications/outbox";
import {
  accountView,
  changeQuota,
  disableAccount,
  enableAccount,
  removeAccount,
  requireAccount,
  sendPasswordReset,
} from "./accounts.service";
import { readInstance } from "./instance.service";
import { inviteAddress, withdrawInvitation } from "./invitations.service";

/** For administrators with a session. Each write checks the role again. */
export const administrationRoutes = new Hono<AppEnv>()
  .get(
    "/",
    requireAdministrator,
    describe("Read the state of the instance", { 200: "Instance" }),
    async (c) => {
      const { scanner, mailer } = c.var.deps;
      const state = { scans: scanner !== undefined, sendsMail: !mailer.localOnly };
      return c.json(await readInstance(c.var.deps, state));
    },
  )
  .get(
    "/accounts",
    requireAdministrator,
    describe("List the accounts", { 200: "Account[]" }),
    query(accountsQuery),
    async (c) => {
      const { db, config } = c.var.deps;
      const { rows, next } = await listAccounts(db, c.req.valid("query"));
      linkNextPage(c, next);
      return c.json(rows.map((row) => accountView(config, row)));
    },
  )
  .get(
    "/accounts/:id",
    requireAdministrator,
    describe("Read an account", { 200: "Account" }, ["not_found"]),
    async (c) => answerAccount(c, rowIdParam(c.req.param("id"))),
  )
  .delete(
    "/accounts/:id",
    requireAdministrator,
    describe("Delete an account", { 204: null }, ["not_found", "own_account"]),
    async (c) => {
      await removeAccount(c.var.deps, actorOf(c), rowIdParam(c.req.param("id")));
      deliverSoon(c.var.deps);
      await tryDeletePendingFiles(c.var.deps);
      return c.body(null, 204);
    },
  )
  .post(
    "/accounts/:id/disable",
    requireAdministrator,
    describe("Disable an account", { 200: "Account" }, ["not_found", "own_account"]),
    async (c) => {
      const id = rowIdParam(c.req.param("id"));
      await disableAccount(c.var.deps, actorOf(c), id);
      return answerAccount(c, id);
    },
  )
  .post(
    "/accounts/:id/enable",
    requireAdministrator,
    describe("Enable an account", { 200: "Account" }, ["not_found"]),
    async (c) => {
      const id = rowIdParam(c.req.param("id"));
      await enableAccount(c.var.deps, actorOf(c), id);
      return answerAccount(c, id);
    },
  )
  .put(
    "/accounts/:id/quota",
    requireAdministrator,
    describe("Change the storage limit of an account", { 200: "Account" }, ["not_found"]),
    requireJson,
    jsonBody(quotaInput),
    async (c) => {
      const id = rowIdParam(c.req.param("id"));
      await changeQuota(c.var.deps, actorOf(c), id, c.req.valid("json").bytes);
      return answerAccount(c, id);
    },
  )
  .post(
    "/accounts/:id/reset-password",
    requireAdministrator,
    describe("Mail an account a link to choose a new password", { 204: null }, [
      "not_found",
      "disabled_account",
      "account_changed",
    ]),
    async (c) => {
      await sendPasswordReset(c.var.deps, actorOf(c), rowIdParam(c.req.param("id")));
      deliverSoon(c.var.deps);
      return c.body(null, 204);
    },
  )
  .get(
    "/invitations",
    requireAdministrator,
    describe("List the open invitations", { 200: "Invitation[]" }),
    async (c) => {
      const { db, clock } = c.var.deps;
      return c.json(await listInvitations(db, clock.now().toISOString()));
    },
  )
  .post(
    "/invitations",
    requireAdministrator,
    describe("Invite somebody to create an account", { 201: "InvitationLink" }, [
      "email_taken",
      "invitations_off",
      "rate_limited",
    ]),
    requireJson,
    jsonBody(invitationInput),
    async (c) => {
      const { email } = c.req.valid("json");
      const language = c.var.user.languagePreference;
      await countTry(c, RATE_RULES.mailsToAddress, email);
      const { expiresAt } = await inviteAddress(c.var.deps, actorOf(c), { email, language });
      deliverSoon(c.var.deps);
      return c.json({ email, expiresAt }, 201);
    },
  )
  .delete(
    "/invitations/:id",
    requireAdministrator,
    describe("Withdraw an invitation", { 204: null }, ["not_found"]),
    async (c) => {
      await withdrawInvitation(c.var.deps, actorOf(c), rowIdParam(c.req.param("id")));
      return c.body(null, 204);
    },
  )
  .get(
    "/audit",
    requireAdministrator,
    describe("Read the audit log", { 200: "AuditEntry[]" }),
    query(auditQuery),
    async (c) => {
      const { rows, next } = await listAuditEntries(c.var.deps.db, c.req.valid("query"));
      linkNextPage(c, next);
      return c.json(rows);
    },
  );

/** The calling administrator, for the audit log. */
function actorOf(c: Context<SignedInEnv>): Actor {
  const { id, email, isVerified } = c.var.user;
  return {
    kind: "administrator",
    user: { id, email, isVerified },
    sid: c.var.sid,
    address: c.env.clientAddress,
  };
}

async function answerAccount(c: Context<SignedInEnv>, id: number) {
  return c.json(accountView(c.var.deps.config, await requireAccount(c.var.deps, id)));
}
