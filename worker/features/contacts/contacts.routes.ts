import { Hono } from "hono";
import {
  type Contact,
  deleteContact,
  findContact,
  insertContact,
  listContacts,
  updateContact,
} from "../../../db/queries/contacts";
import type { AppEnv } from "../../app-env";
import { contactChanges, contactInput } from "../../contract/contacts";
import { listQuery } from "../../contract/fields";
import { LIMITS } from "../../contract/limits";
import type { Dependencies } from "../../dependencies";
import { appError } from "../../errors";
import { describe } from "../../middleware/describe";
import { idempotent } from "../../middleware/idempotency";
import { linkNextPage } from "../../middleware/next-page";
import { requireUser } from "../../middleware/session";
import { jsonBody, query, requireJson, rowIdParam } from "../../middleware/validate";
import { ofOwnWorkspace, requireWorkspace, throwIfAccountFull } from "../workspaces/workspaces.service";

export const contactRoutes = new Hono<AppEnv>()
  .get(
    "/",
    requireUser,
    describe("List the contacts", { 200: "Contact[]" }, ["workspace_not_found"]),
    query(listQuery),
    async (c) => {
      const page = c.req.valid("query");
      const { rows, next } = await listContacts(c.var.deps.db, c.var.user.id, page);
      linkNextPage(c, next);
      return c.json(await ofOwnWorkspace(c.var.deps, c.var.user.id, page.workspaceId, rows));
    },
  )
  .post(
    "/",
    requireUser,
    describe("Create a contact", { 201: "Contact" }, [
      "workspace_not_found",
      "account_full",
      "contact_not_found",
    ]),
    idempotent((c, id) => requireContact(c.var.deps, c.var.user.id, Number(id))),
    requireJson,
    jsonBody(contactInput),
    async (c) => {
      const { db, clock } = c.var.deps;
      const input = c.req.valid("json");
      const workspaceId = await requireWorkspace(c.var.deps, c.var.user.id, input.workspaceId);
      const moment = clock.now().toISOString();
      const contact = { ...input, workspaceId, createdAt: moment, updatedAt: moment };
      const inserted = await insertContact(db, c.var.user.id, contact, c.var.claim).catch(
        throwIfAccountFull(LIMITS.contactsPerAccount),
      );
      return c.json(inserted, 201);
    },
  )
  .get(
    "/:id",
    requireUser,
    describe("Read a contact", { 200: "Contact" }, ["contact_not_found", "not_found"]),
    async (c) => c.json(await requireContact(c.var.deps, c.var.user.id, rowIdParam(c.req.param("id")))),
  )
  .patch(
    "/:id",
    requireUser,
    describe("Change a contact", { 200: "Contact" }, ["contact_not_found", "not_found"]),
    requireJson,
    jsonBody(contactChanges),
    async (c) => {
      const { db, clock } = c.var.deps;
      const changes = { ...c.req.valid("json"), updatedAt: clock.now().toISOString() };
      const contact = await updateContact(db, c.var.user.id, rowIdParam(c.req.param("id")), changes);
      if (!contact) throw appError("contact_not_found");
      return c.json(contact);
    },
  )
  .delete(
    "/:id",
    requireUser,
    describe("Delete a contact", { 204: null }, ["contact_not_found", "not_found"]),
    async (c) => {
      const deleted = await deleteContact(c.var.deps.db, c.var.user.id, rowIdParam(c.req.param("id")));
      if (!deleted) throw appError("contact_not_found");
      return c.body(null, 204);
    },
  );

async function requireContact({ db }: Dependencies, userId: number, id: number): Promise<Contact> {
  const contact = await findContact(db, userId, id);
  if (!contact) throw appError("contact_not_found");
  return contact;
}
