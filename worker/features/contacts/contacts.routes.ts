import { type Context, Hono } from "hono";
import {
  type Contact,
  changeTags,
  countContacts,
  deleteContacts,
  findContact,
  insertContact,
  listContacts,
  listTags,
  updateContact,
} from "../../../db/queries/contacts";
import { countOpen } from "../../../db/queries/envelope-list";
import type { Member } from "../../../db/queries/members";
import type { User } from "../../../db/queries/users";
import type { AppEnv, UserEnv } from "../../app-env";
import {
  contactChanges,
  contactInput,
  contactResponse,
  contactsDeletion,
  contactsDeletionResponse,
  contactsExportQuery,
  contactsImportResponse,
  contactsInput,
  contactsQuery,
  taggedResponse,
  tagResponse,
  tagsInput,
  tagsQuery,
} from "../../contract/contacts";
import { SERVER_LIMITS } from "../../contract/limits";
import type { Dependencies } from "../../dependencies";
import { required } from "../../errors";
import { csvHeaders } from "../../lib/csv";
import { respond } from "../../middleware/describe";
import { idempotent } from "../../middleware/idempotency";
import { rowsOf, setCounts } from "../../middleware/list-pages";
import { revocable } from "../../middleware/revocable-download";
import { asMember, asViewer, forUsers } from "../../middleware/session";
import { idOf, jsonBody, query } from "../../middleware/validate";
import { readNamedPage } from "../lists/lists.service";
import { findUnsubscribed } from "../notifications/unsubscribe.service";
import {
  missingOrChanged,
  ofOwnWorkspace,
  requireWorkspace,
  throwIfAccountFull,
} from "../workspaces/workspaces.service";

import { contactsCsv, readImport, saveContacts } from "./contacts.service";

export const contactRoutes = new Hono<AppEnv>()
  .get(
    "/",
    forUsers("List the contacts", { 200: [contactResponse] }, ["workspace_not_found"]),
    query(contactsQuery),
    async (c) => {
      const { workspaceId } = c.req.valid("query");
      const lists = { list: listContacts, count: countContacts };
      const page = await readNamedPage(c.var.deps.db, asViewer(c), c.req.valid("query"), lists);
      const rows = rowsOf(c, page);
      setCounts(c, "Contact-Counts", page.counts);
      await ofOwnWorkspace(c.var.deps, asViewer(c), workspaceId, rows);
      return respond(c, await viewContacts(c.var.deps, c.var.user, asViewer(c), rows));
    },
  )
  .post(
    "/",
    forUsers("Create a contact", { 201: contactResponse }, [
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
        throwIfAccountFull(SERVER_LIMITS.contactsPerAccount),
      );
      return respond(c, await viewContact(c.var.deps, c.var.user, asViewer(c), inserted));
    },
  )
  .post(
    "/bulk",
    forUsers(
      "Create and change many contacts",
      { 201: contactsImportResponse },
      ["workspace_not_found", "role_required", "account_full"],
      {
        details:
          "All or none. With `match=email`, a contact of the workspace with the same address is changed: absent fields stay, null clears.",
      },
    ),
    idempotent((c, saved) => readImport(c.var.deps, asViewer(c), saved)),
    jsonBody(contactsInput),
    async (c) => respond(c, await saveContacts(c.var.deps, asMember(c), c.req.valid("json"), c.var.claim)),
  )
  .get(
    "/export.csv",
    forUsers("Download the contacts as a CSV file", { 200: "text/csv" }, ["workspace_not_found"]),
    query(contactsExportQuery),
    async (c) => {
      const exported = c.req.valid("query");
      await ofOwnWorkspace(c.var.deps, asViewer(c), exported.workspaceId, []);
      const file = contactsCsv(c.var.deps, asViewer(c), exported);
      return c.body(await revocable(c, asViewer(c), file), 200, csvHeaders("contacts.csv"));
    },
  )
  .post(
    "/delete",
    forUsers("Delete several contacts", { 200: contactsDeletionResponse }, [], {
      details: "Ids of contacts that the account cannot delete are left out.",
    }),
    jsonBody(contactsDeletion),
    async (c) => respond(c, { deleted: await removeContacts(c, c.req.valid("json").ids) }),
  )
  .get(
    "/tags",
    forUsers("List the tags of the contacts, the most used ones", { 200: [tagResponse] }, [
      "workspace_not_found",
    ]),
    query(tagsQuery),
    async (c) => {
      const { workspaceId } = c.req.valid("query");
      const { db, takeTurn } = c.var.deps;
      const rows = await listTags(db, asViewer(c), workspaceId, takeTurn);
      return respond(c, await ofOwnWorkspace(c.var.deps, asViewer(c), workspaceId, rows));
    },
  )
  .post(
    "/tags",
    forUsers(
      "Add and remove tags of several contacts",
      { 200: taggedResponse },
      ["workspace_not_found", "role_required"],
      { details: "Ids of contacts that are not in the workspace are left out." },
    ),
    jsonBody(tagsInput),
    async (c) => {
      const { workspaceId: given, ...change } = c.req.valid("json");
      const { db, clock, config, takeTurn } = c.var.deps;
      const workspaceId = await requireWorkspace(c.var.deps, asMember(c), given);
      const now = clock.now().toISOString();
      const tagged = { ...change, workspaceId, now };
      return respond(c, await changeTags(db, asMember(c), tagged, config.quotas, takeTurn));
    },
  )
  .get("/:id", forUsers("Read a contact", { 200: contactResponse }, ["contact_not_found"]), async (c) =>
    respond(c, await readContact(c.var.deps, c.var.user, asViewer(c), idOf(c))),
  )
  .patch(
    "/:id",
    forUsers("Change a contact", { 200: contactResponse }, [
      "contact_not_found",
      "role_required",
      "changed_meanwhile",
    ]),
    jsonBody(contactChanges),
    async (c) => {
      const { db, clock, config } = c.var.deps;
      const { updatedAt: read, ...changes } = c.req.valid("json");
      const key = { id: idOf(c), read };
      const changed = { ...changes, now: clock.now().toISOString() };
      const contact = await updateContact(db, asMember(c), key, changed, config.quotas);
      if (!contact) throw await noContact(c.var.deps, asMember(c), key);
      return respond(c, await viewContact(c.var.deps, c.var.user, asViewer(c), contact));
    },
  )
  .delete(
    "/:id",
    forUsers("Delete a contact", { 204: null }, ["contact_not_found", "role_required"]),
    async (c) => {
      const id = idOf(c);
      const deleted = await removeContacts(c, [id]);
      if (deleted === 0) throw await noContact(c.var.deps, asMember(c), { id });
      return c.body(null, 204);
    },
  );

const removeContacts = (c: Context<UserEnv>, ids: number[]) => {
  const { db, clock, takeTurn } = c.var.deps;
  return deleteContacts(db, asMember(c), { ids, now: clock.now().toISOString() }, takeTurn);
};

const noContact = (
  deps: Dependencies,
  member: Member,
  key: { id: number; read?: string | null | undefined },
) => missingOrChanged(deps, member, "contact_not_found", { kind: "contact", read: undefined, ...key });

async function readContact(deps: Dependencies, user: User, member: Member, id: number) {
  const contact = await required(findContact(deps.db, member, id), "contact_not_found");
  return viewContact(deps, user, member, contact);
}

async function viewContact(deps: Dependencies, user: User, member: Member, contact: Contact) {
  const [viewed] = await viewContacts(deps, user, member, [contact]);
  return viewed as NonNullable<typeof viewed>;
}

/** Contacts, since when they do not want mails from the account, and how many requests to them are open. */
async function viewContacts(deps: Dependencies, user: User, member: Member, contacts: readonly Contact[]) {
  const now = deps.clock.now().toISOString();
  const [ids, emails] = [contacts.map(({ id }) => id), contacts.map(({ email }) => email)];
  const [unsubscribed, open] = await Promise.all([
    findUnsubscribed(deps, user, emails),
    countOpen(deps.db, member, ids, now),
  ]);
  return contacts.map((contact) => ({
    ...contact,
    ...(open.get(contact.id) ?? { openRequests: 0, overdueRequests: 0 }),
    unsubscribedAt: unsubscribed.get(contact.email ?? "") ?? null,
  }));
}
