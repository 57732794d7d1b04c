import { type Context, Hono } from "hono";
import { createMiddleware } from "hono/factory";
import { listAccounts, listWorkspaceUse } from "../../../db/queries/accounts";
import { type Actor, listAuditEntries } from "../../../db/queries/audit-log";
import { findOpenInvitation, listInvitations } from "../../../db/queries/invitations";
import { listOutbox } from "../../../db/queries/outbox";
import type { AppEnv, SignedInEnv } from "../../app-env";
import {
  accountDetailResponse,
  accountResponse,
  accountsQuery,
  auditEntryResponse,
  auditFilterQuery,
  auditQuery,
  instanceResponse,
  invitationInput,
  invitationLinkResponse,
  invitationResponse,
  outboxMessageResponse,
  outboxQuery,
  outboxRetryResponse,
  pagingQuery,
  quotaInput,
  testMailResponse,
  workspaceQuotaInput,
  workspaceUseResponse,
} from "../../contract/administration";
import { appError, required } from "../../errors";
import { csvHeaders } from "../../lib/csv";
import { describeFor, descriptionOf, respond, whenDone, withDescription } from "../../middleware/describe";
import { idempotent } from "../../middleware/idempotency";
import { rowsOf } from "../../middleware/list-pages";
import { countTry } from "../../middleware/rate-limit";
import { requireRecentSignIn } from "../../middleware/recent-sign-in";
import { revocable } from "../../middleware/revocable-download";
import { requireSignIn } from "../../middleware/session";
import { idOf, jsonBody, query } from "../../middleware/validate";
import { tryDeletePendingFiles } from "../files/file-deletions";
import { requestorName } from "../notifications/formats";
import { deliverSoon } from "../notifications/outbox";
import { mailboxOf, RATE_RULES } from "../rate-limits/rate-rules";
import { isAdministrator } from "../sign-in-policy/sign-in-policy";

/** Few calls need them. */
const failedMessages = () => import("./outbox.service");
const ofAccounts = () => import("./accounts.service");
const ofInvitations = () => import("./invitations.service");

const { access, errors = [] } = descriptionOf(requireSignIn);

/** `forSessions`, which responds with 403 unless the user is an administrator now. */
const forAdministrators = describeFor(
  withDescription(
    createMiddleware<SignedInEnv>((c, next) =>
      requireSignIn(c, async () => {
        if (!isAdministrator(c.var.deps.config, c.var.user)) throw appError("administrators_only");
        await next();
      }),
    ),
    { ...(access && { access }), errors: [...errors, "administrators_only"] },
  ),
);

/** For administrators with a session. Each write checks the role again. */
export const administrationRoutes = new Hono<AppEnv>()
  .get("/", forAdministrators("Read the state of the instance", { 200: instanceResponse }), async (c) => {
    const { scanner, mailer, readDisk } = c.var.deps;
    const state = { scans: scanner !== undefined, sendsMail: !mailer.localOnly, readDisk };
    const { readInstance } = await import("./instance.service");
    return respond(c, await readInstance(c.var.deps, state));
  })
  .get(
    "/workspaces",
    forAdministrators("List what the workspaces use", { 200: [workspaceUseResponse] }),
    query(pagingQuery),
    async (c) => respond(c, rowsOf(c, await listWorkspaceUse(c.var.deps.db, c.req.valid("query")))),
  )
  .put(
    "/workspaces/:id/quota",
    forAdministrators("Change the storage limit of a workspace", { 200: workspaceUseResponse }, [
      "workspace_not_found",
    ]),
    requireRecentSignIn,
    jsonBody(workspaceQuotaInput),
    async (c) => {
      const id = idOf(c);
      const { changeWorkspaceQuota, requireWorkspaceUse } = await ofAccounts();
      await changeWorkspaceQuota(c.var.deps, actorOf(c), id, c.req.valid("json").bytes);
      return respond(c, await requireWorkspaceUse(c.var.deps, id));
    },
  )
  .get(
    "/accounts",
    forAdministrators("List the accounts", { 200: [accountResponse] }),
    query(accountsQuery),
    async (c) => {
      const { db, config } = c.var.deps;
      const { accountView } = await ofAccounts();
      const accounts = rowsOf(c, await listAccounts(db, c.req.valid("query")));
      return respond(
        c,
        accounts.map((account) => accountView(config, account)),
      );
    },
  )
  .get("/accounts/:id", forAdministrators("Read an account", { 200: accountDetailResponse }), async (c) =>
    respond(c, await (await ofAccounts()).readAccountDetail(c.var.deps, idOf(c))),
  )
  .delete(
    "/accounts/:id",
    forAdministrators("Delete an account", { 204: null }, ["own_account", "last_owner"]),
    requireRecentSignIn,
    async (c) => {
      const { removeAccount } = await ofAccounts();
      await removeAccount(c.var.deps, actorOf(c), idOf(c));
      deliverSoon(c.var.deps);
      await tryDeletePendingFiles(c.var.deps);
      return c.body(null, 204);
    },
  )
  .post(
    "/accounts/:id/disable",
    forAdministrators("Disable an account", { 200: accountResponse }, ["own_account", "last_owner"]),
    requireRecentSignIn,
    async (c) => {
      const { disableAccount } = await ofAccounts();
      return respond(c, await changedAccount(c, disableAccount(c.var.deps, actorOf(c), idOf(c))));
    },
  )
  .post(
    "/accounts/:id/enable",
    forAdministrators("Enable an account", { 200: accountResponse }),
    requireRecentSignIn,
    async (c) => {
      const { enableAccount } = await ofAccounts();
      return respond(c, await changedAccount(c, enableAccount(c.var.deps, actorOf(c), idOf(c))));
    },
  )
  .put(
    "/accounts/:id/quota",
    forAdministrators("Change the storage limit of an account", { 200: accountResponse }),
    requireRecentSignIn,
    jsonBody(quotaInput),
    async (c) => {
      const { bytes } = c.req.valid("json");
      const { changeQuota } = await ofAccounts();
      return respond(c, await changedAccount(c, changeQuota(c.var.deps, actorOf(c), idOf(c), bytes)));
    },
  )
  .post(
    "/accounts/:id/reset-two-factor",
    forAdministrators(
      "Remove the second factors and passkeys of an account, and end its sessions",
      { 204: null },
      ["no_second_factor"],
    ),
    requireRecentSignIn,
    async (c) => {
      const { resetTwoFactor } = await ofAccounts();
      await resetTwoFactor(c.var.deps, actorOf(c), idOf(c));
      deliverSoon(c.var.deps);
      return c.body(null, 204);
    },
  )
  .post(
    "/accounts/:id/reset-password",
    forAdministrators("Mail an account a link to choose a new password", { 204: null }, [
      "disabled_account",
      "account_changed",
      "password_sign_in_off",
    ]),
    requireRecentSignIn,
    async (c) => {
      const { sendPasswordReset } = await ofAccounts();
      await sendPasswordReset(c.var.deps, actorOf(c), idOf(c));
      deliverSoon(c.var.deps);
      return c.body(null, 204);
    },
  )
  .get(
    "/invitations",
    forAdministrators("List the open invitations", { 200: [invitationResponse] }),
    query(pagingQuery),
    async (c) => {
      const { db, clock } = c.var.deps;
      const page = await listInvitations(db, c.req.valid("query"), clock.now().toISOString());
      return respond(c, rowsOf(c, page));
    },
  )
  .post(
    "/invitations",
    forAdministrators("Invite somebody to create an account", { 201: invitationLinkResponse }, [
      "email_taken",
      "invitations_off",
      "rate_limited",
    ]),
    requireRecentSignIn,
    idempotent(async (c, address) => {
      const { db, clock } = c.var.deps;
      const open = findOpenInvitation(db, { email: address }, clock.now().toISOString());
      const { expiresAt } = await required(open, "not_found");
      return { email: address, expiresAt };
    }),
    jsonBody(invitationInput),
    async (c) => {
      const { email } = c.req.valid("json");
      const language = c.var.user.languagePreference;
      await countTry(c, RATE_RULES.mailsToAddress, mailboxOf(email));
      const inviter = requestorName(c.var.user);
      const invitation = { email, language, inviter };
      const { inviteAddress } = await ofInvitations();
      const { expiresAt } = await inviteAddress(c.var.deps, actorOf(c), invitation, c.var.claim);
      deliverSoon(c.var.deps);
      return respond(c, { email, expiresAt });
    },
  )
  .delete("/invitations/:id", forAdministrators("Revoke an invitation", { 204: null }), async (c) => {
    const { withdrawInvitation } = await ofInvitations();
    return whenDone(c, withdrawInvitation(c.var.deps, actorOf(c), idOf(c)));
  })
  .get(
    "/audit",
    forAdministrators("Read the audit log", { 200: [auditEntryResponse] }),
    query(auditQuery),
    async (c) => {
      const { db, takeTurn } = c.var.deps;
      return respond(c, rowsOf(c, await listAuditEntries(db, c.req.valid("query"), takeTurn)));
    },
  )
  .get(
    "/audit.csv",
    forAdministrators("Download the audit log as a CSV file", { 200: "text/csv" }),
    query(auditFilterQuery),
    async (c) => {
      const { config } = c.var.deps;
      const { auditCsv } = await import("./audit-csv");
      const file = auditCsv(c.var.deps, c.req.valid("query"));
      const download = await revocable(c, (user) => isAdministrator(config, user), file);
      return c.body(download, 200, csvHeaders("audit-log.csv"));
    },
  )
  .get(
    "/outbox",
    forAdministrators("List messages that have failed or wait", { 200: [outboxMessageResponse] }),
    query(outboxQuery),
    async (c) => {
      const { db, clock } = c.var.deps;
      const { messageView } = await failedMessages();
      const page = await listOutbox(db, c.req.valid("query"), clock.now().toISOString());
      return respond(c, rowsOf(c, page).map(messageView));
    },
  )
  .post(
    "/outbox/retry",
    forAdministrators("Send failed messages again, up to 500", { 200: outboxRetryResponse }),
    async (c) => {
      const left = await (await failedMessages()).retryFailedMessages(c.var.deps, actorOf(c));
      deliverSoon(c.var.deps);
      return respond(c, { left });
    },
  )
  .post(
    "/outbox/:id/retry",
    forAdministrators("Send a message again", { 200: outboxMessageResponse }, ["message_ended"]),
    async (c) => {
      const id = idOf(c);
      const { messageView, requireMessage, retryMessage } = await failedMessages();
      await retryMessage(c.var.deps, actorOf(c), id);
      deliverSoon(c.var.deps);
      return respond(c, messageView(await requireMessage(c.var.deps, id)));
    },
  )
  .post(
    "/test-mail",
    forAdministrators("Send a test email to the administrator's own address", { 200: testMailResponse }, [
      "rate_limited",
    ]),
    async (c) => {
      await countTry(c, RATE_RULES.mailsToAddress, mailboxOf(c.var.user.email));
      const { sendTestMail } = await import("./test-mail.service");
      return respond(c, await sendTestMail(c.var.deps, c.var.user));
    },
  );

/** The calling administrator, for the audit log. */
function actorOf(c: Context<SignedInEnv>): Actor {
  const { id, email, pendingEmail, isVerified, isAdministrator } = c.var.user;
  return {
    kind: "administrator",
    user: { id, email, pendingEmail, isVerified, isAdministrator },
    sid: c.var.sid,
    address: c.env.clientAddress,
  };
}

/** The account of the path, once it is changed. */
async function changedAccount(c: Context<SignedInEnv>, change: Promise<void>) {
  await change;
  const { deps } = c.var;
  const { accountView, requireAccount } = await ofAccounts();
  return accountView(deps.config, await requireAccount(deps, idOf(c)));
}
