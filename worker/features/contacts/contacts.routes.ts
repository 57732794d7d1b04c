import { Hono } from "hono";
import {
  type Contact,
  countContacts,
  deleteContact,
  findContact,
  insertContact,
  listContacts,
  recordedImport,
  updateContact,
} from "../../../db/queries/contacts";
import type { Member } from "../../../db/queries/members";
import type { User } from "../../../db/queries/users";
import type { AppEnv } from "../../app-env";
import {
  contactChanges,
  contactInput,
  contactResponse,
  contactsExportQuery,
  contactsImportResponse,
  contactsInput,
} from "../../contract/contacts";
import { LIMITS } from "../../contract/limits";
import { namedListQuery } from "../../contract/lists";
import type { Dependencies } from "../../dependencies";
import { appError } from "../../errors";
import { csvHeaders } from "../../lib/csv";
import { describe, respond } from "../../middleware/describe";
import { idempotent } from "../../middleware/idempotency";
import { linkNextPage, setCounts } from "../../middleware/list-pages";
import { revocable } from "../../middleware/revocable-download";
import { asMember, asViewer, requireUser } from "../../middleware/session";
import { jsonBody, query, rowIdParam } from "../../middleware/validate";
import { readNamedPage } from "../lists/lists.service";
import { findUnsubscribed } from "../notifications/unsubscribe.service";
import {
  missingOrChanged,
  ofOwnWorkspace,
  requireWorkspace,
  throwIfAccountFull,
} from "../workspaces/workspaces.service";

import { contactsCsv, saveContacts } from "./contacts.service";

export const contactRoutes = new Hono<AppEnv>()
  .get(
    "/",
    requireUser,
    describe("List the contacts", { 200: [contactResponse] }, ["workspace_not_found"]),
    query(namedListQuery),
    async (c) => {
      const { workspaceId } = c.req.valid("query");
      const { db } = c.var.deps;
      const { rows, next, counts } = await readNamedPage(db, asViewer(c), c.req.valid("query"), {
        ...{ list: listContacts, count: countContacts },
      });
      linkNextPage(c, next);
      setCounts(c, "Contact-Counts", counts);
      await ofOwnWorkspace(c.var.deps, asViewer(c), workspaceId, rows);
      return respond(c, await viewContacts(c.var.deps, c.var.user, rows));
    },
  )
  .post(
    "/",
    requireUser,
    describe("Create a contact", { 201: contactResponse }, [
      "workspace_not_found",
      "role_required",
      "account_full",
      "contact_not_found",
    ]),
    idempotent((c, id) => readContact(c.var.deps, c.var.user, asViewer(c), Number(id))),
    jsonBody(contactInput),
    async (c) => {
      const { db, clock, config } = c.var.deps;
      const input = c.req.valid("json");
      const workspaceId = await requireWorkspace(c.var.deps, asMember(c), input.workspaceId);
      const now = clock.now().toISOString();
      const contact = { ...input, workspaceId, createdAt: now, updatedAt: now };
      const inserted = await insertContact(db, asMember(c), contact, config.quotas, c.var.claim).catch(
        throwIfAccountFull(LIMITS.contactsPerAccount),
      );
      return respond(c, await viewContact(c.var.deps, c.var.user, inserted));
    },
  )
  .post(
    "/bulk",
    requireUser,
    describe(
      "Create and change many contacts",
      { 201: contactsImportResponse },
      ["workspace_not_found", "role_required", "account_full"],
      {
        details:
          "All or none. With `match=email`, a contact of the workspace with the same address is changed: absent fields stay, null clears.",
      },
    ),
    idempotent(async (_, counts) => recordedImport(counts)),
    jsonBody(contactsInput),
    async (c) => respond(c, await saveContacts(c.var.deps, asMember(c), c.req.valid("json"), c.var.claim)),
  )
  .get(
    "/export.csv",
    requireUser,
    describe("Download the contacts as a CSV file", { 200: "text/csv" }, ["workspace_not_found"]),
    query(contactsExportQuery),
    async (c) => {
      const { workspaceId } = c.req.valid("query");
      await ofOwnWorkspace(c.var.deps, asViewer(c), workspaceId, []);
      const file = contactsCsv(c.var.deps, asViewer(c), workspaceId);
      return c.body(await revocable(c, asViewer(c), file), 200, csvHeaders("contacts.csv"));
    },
  )
  .get(
    "/:id",
    requireUser,
    describe("Read a contact", { 200: contactResponse }, ["contact_not_found"]),
    async (c) =>
      respond(c, await readContact(c.var.deps, c.var.user, asViewer(c), rowIdParam(c.req.param("id")))),
  )
  .patch(
    "/:id",
    requireUser,
    describe("Change a contact", { 200: contactResponse }, [
      "contact_not_found",
      "role_required",
      "changed_meanwhile",
    ]),
    jsonBody(contactChanges),
    async (c) => {
      const { db, clock, config } = c.var.deps;
      const { updatedAt: read, ...changes } = c.req.valid("json");
      const key = { id: rowIdParam(c.req.param("id")), read };
      const changed = { ...changes, now: clock.now().toISOString() };
      const contact = await updateContact(db, asMember(c), key, changed, config.quotas);
      if (!contact) throw await noContact(c.var.deps, asMember(c), key);
      return respond(c, await viewContact(c.var.deps, c.var.user, contact));
    },
  )
  .delete(
    "/:id",
    requireUser,
    describe("Delete a contact", { 204: null }, ["contact_not_found", "role_required"]),
    async (c) => {
      const id = rowIdParam(c.req.param("id"));
      const { db, takeTurn } = c.var.deps;
      const deleted = await deleteContact(db, asMember(c), id, takeTurn);
      if (!deleted) throw await noContact(c.var.deps, asMember(c), { id });
      return c.body(null, 204);
    },
  );

const noContact = (
  deps: Dependencies,
  member: Member,
  key: { id: number; read?: string | null | undefined },
) => missingOrChanged(deps, member, "contact_not_found", { kind: "contact", read: undefined, ...key });

async function readContact(deps: Dependencies, user: User, member: Member, id: number) {
  const contact = await findContact(deps.db, member, id);
  if (!contact) throw appError("contact_not_found");
  return viewContact(deps, user, contact);
}

/** A contact, and since when it does not want mails from the account. */
async function viewContact(deps: Dependencies, user: User, contact: Contact) {
  const unsubscribed = await findUnsubscribed(deps, user, [contact.email]);
  return { ...contact, unsubscribedAt: unsubscribed.get(contact.email ?? "") ?? null };
}

async function viewContacts(deps: Dependencies, user: User, contacts: readonly Contact[]) {
  const addresses = contacts.map(({ email }) => email);
  const unsubscribed = await findUnsubscribed(deps, user, addresses);
  return contacts.map((contact) => ({
    ...contact,
    unsubscribedAt: unsubscribed.get(contact.email ?? "") ?? null,
  }));
}
