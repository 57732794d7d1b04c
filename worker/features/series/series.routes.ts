import { Hono } from "hono";
import type { AppEnv } from "../../app-env";
import {
  listedSeriesResponse,
  occurrenceInput,
  seriesChanges,
  seriesInput,
  seriesQuery,
  seriesRecipientsInput,
  seriesResponse,
} from "../../contract/series";
import { describe, respond, whenDone } from "../../middleware/describe";
import { idempotent } from "../../middleware/idempotency";
import { asMember, asViewer, requireUser, senderOf } from "../../middleware/session";
import { jsonBody, optionalJsonBody, query, rowIdParam } from "../../middleware/validate";
import { MESSAGE_ERRORS } from "../envelopes/sending-limits";

/** Few calls need them. */
const service = () => import("./series.service");
const sending = () => import("./run-series");

const CHECKED = [
  "contact_not_found",
  "missing_placeholder",
  "bulk_too_large",
  "attachment_not_found",
] as const;
const CHANGED = ["series_not_found", "role_required"] as const;

/** Requests that are sent again and again. */
export const seriesRoutes = new Hono<AppEnv>()
  .get(
    "/",
    requireUser,
    describe("List the series", { 200: [listedSeriesResponse] }, ["workspace_not_found"], {
      details: "By their next day. One that has ended is listed last.",
    }),
    query(seriesQuery),
    async (c) =>
      respond(c, await (await service()).readAllSeries(c.var.deps, asViewer(c), c.req.valid("query"))),
  )
  .post(
    "/",
    requireUser,
    describe(
      "Create a series",
      { 201: seriesResponse },
      [
        ...["workspace_not_found", "role_required", "template_not_found", "verify_email"],
        ...["too_many_series", "account_changed", "series_not_found", ...CHECKED],
      ] as const,
      { details: "Everything is checked as for a bulk send. Nothing is sent before its first day." },
    ),
    idempotent(async (c, id) => (await service()).readSeries(c.var.deps, asViewer(c), Number(id))),
    jsonBody(seriesInput),
    async (c) => {
      const { createSeries, readSeries } = await service();
      const caller = { ...senderOf(c), apiTokenId: c.var.apiToken?.id ?? null };
      const id = await createSeries(c.var.deps, caller, c.req.valid("json"), c.var.claim);
      return respond(c, await readSeries(c.var.deps, asViewer(c), id));
    },
  )
  .get(
    "/:id",
    requireUser,
    describe("Read a series", { 200: seriesResponse }, ["series_not_found"]),
    async (c) =>
      respond(c, await (await service()).readSeries(c.var.deps, asViewer(c), rowIdParam(c.req.param("id")))),
  )
  .patch(
    "/:id",
    requireUser,
    describe("Change a series from its next occurrence on", { 200: seriesResponse }, [
      ...CHANGED,
      "template_not_found",
      "changed_meanwhile",
      "account_changed",
      ...CHECKED,
    ]),
    jsonBody(seriesChanges),
    async (c) => {
      const { changeSeries, readSeries } = await service();
      const id = rowIdParam(c.req.param("id"));
      await changeSeries(c.var.deps, senderOf(c), id, c.req.valid("json"));
      return respond(c, await readSeries(c.var.deps, asViewer(c), id));
    },
  )
  .delete("/:id", requireUser, describe("Delete a series", { 204: null }, CHANGED), async (c) =>
    whenDone(c, (await service()).removeSeries(c.var.deps, asMember(c), rowIdParam(c.req.param("id")))),
  )
  .post(
    "/:id/recipients",
    requireUser,
    describe("Add recipients to a series", { 200: seriesResponse }, [
      ...CHANGED,
      "too_many_recipients",
      "account_changed",
      ...CHECKED,
    ]),
    idempotent(async (c, id) => (await service()).readSeries(c.var.deps, asViewer(c), Number(id)), 200),
    jsonBody(seriesRecipientsInput),
    async (c) => {
      const { addRecipients, readSeries } = await service();
      const id = rowIdParam(c.req.param("id"));
      await addRecipients(c.var.deps, senderOf(c), id, c.req.valid("json").recipients, c.var.claim);
      return respond(c, await readSeries(c.var.deps, asViewer(c), id));
    },
  )
  .delete(
    "/:id/recipients/:recipientId",
    requireUser,
    describe("Take a recipient out of a series", { 204: null }, [
      ...CHANGED,
      "recipient_not_found",
      "no_recipients",
    ]),
    async (c) => {
      const [id, recipientId] = [rowIdParam(c.req.param("id")), rowIdParam(c.req.param("recipientId"))];
      return whenDone(c, (await service()).removeRecipient(c.var.deps, asMember(c), id, recipientId));
    },
  )
  .post(
    "/:id/skip",
    requireUser,
    describe("Leave out the next occurrence", { 200: seriesResponse }, [
      ...CHANGED,
      "no_occurrence_left",
      "already_done",
    ]),
    optionalJsonBody(occurrenceInput),
    async (c) => {
      const id = rowIdParam(c.req.param("id"));
      await (await sending()).skipOccurrence(c.var.deps, asMember(c), id, c.req.valid("json").on);
      return respond(c, await (await service()).readSeries(c.var.deps, asViewer(c), id));
    },
  )
  .post(
    "/:id/run",
    requireUser,
    describe("Send the next occurrence now, in its place", { 200: seriesResponse }, [
      ...CHANGED,
      "no_occurrence_left",
      "already_done",
      "verify_email",
      "too_many_invitations",
      ...MESSAGE_ERRORS,
    ]),
    idempotent(async (c, id) => (await service()).readSeries(c.var.deps, asViewer(c), Number(id)), 200),
    optionalJsonBody(occurrenceInput),
    async (c) => {
      const id = rowIdParam(c.req.param("id"));
      await (await sending()).runSeries(c.var.deps, senderOf(c), id, c.req.valid("json").on, c.var.claim);
      return respond(c, await (await service()).readSeries(c.var.deps, asViewer(c), id));
    },
  );
