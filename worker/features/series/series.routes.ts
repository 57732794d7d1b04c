import { type Context, Hono } from "hono";
import type { AppEnv, UserEnv } from "../../app-env";
import {
  listedSeriesResponse,
  occurrenceInput,
  seriesChanges,
  seriesInput,
  seriesQuery,
  seriesRecipientsInput,
  seriesResponse,
} from "../../contract/series";
import { respond, whenDone } from "../../middleware/describe";
import { idempotent } from "../../middleware/idempotency";
import { asMember, asViewer, forUsers, senderOf } from "../../middleware/session";
import { idOf, jsonBody, optionalJsonBody, query } from "../../middleware/validate";
import { MESSAGE_ERRORS } from "../envelopes/sending-limits";

const callerOf = (c: Context<UserEnv>) => ({ ...senderOf(c), apiTokenId: c.var.apiToken?.id ?? null });

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
    forUsers("List the series", { 200: [listedSeriesResponse] }, ["workspace_not_found"], {
      details: "By their next day. One that has ended is listed last.",
    }),
    query(seriesQuery),
    async (c) =>
      respond(c, await (await service()).readAllSeries(c.var.deps, asViewer(c), c.req.valid("query"))),
  )
  .post(
    "/",
    forUsers(
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
      const { createSeries, readWritten } = await service();
      const id = await createSeries(c.var.deps, callerOf(c), c.req.valid("json"), c.var.claim);
      return respond(c, await readWritten(c.var.deps, id));
    },
  )
  .get("/:id", forUsers("Read a series", { 200: seriesResponse }, ["series_not_found"]), async (c) =>
    respond(c, await (await service()).readSeries(c.var.deps, asViewer(c), idOf(c))),
  )
  .patch(
    "/:id",
    forUsers("Change a series from its next occurrence on", { 200: seriesResponse }, [
      ...CHANGED,
      "template_not_found",
      "changed_meanwhile",
      "account_changed",
      ...CHECKED,
    ]),
    jsonBody(seriesChanges),
    async (c) => {
      const { changeSeries, readWritten } = await service();
      const id = idOf(c);
      await changeSeries(c.var.deps, callerOf(c), id, c.req.valid("json"));
      return respond(c, await readWritten(c.var.deps, id));
    },
  )
  .delete("/:id", forUsers("Delete a series", { 204: null }, CHANGED), async (c) =>
    whenDone(c, (await service()).removeSeries(c.var.deps, asMember(c), idOf(c))),
  )
  .post(
    "/:id/recipients",
    forUsers("Add recipients to a series", { 200: seriesResponse }, [
      ...CHANGED,
      "too_many_recipients",
      "account_changed",
      ...CHECKED,
    ]),
    idempotent(async (c, id) => (await service()).readSeries(c.var.deps, asViewer(c), Number(id)), 200),
    jsonBody(seriesRecipientsInput),
    async (c) => {
      const { addRecipients, readWritten } = await service();
      const id = idOf(c);
      await addRecipients(c.var.deps, callerOf(c), id, c.req.valid("json").recipients, c.var.claim);
      return respond(c, await readWritten(c.var.deps, id));
    },
  )
  .delete(
    "/:id/recipients/:recipientId",
    forUsers("Take a recipient out of a series", { 204: null }, [
      ...CHANGED,
      "recipient_not_found",
      "no_recipients",
    ]),
    async (c) => {
      const [id, recipientId] = [idOf(c), idOf(c, "recipientId")];
      return whenDone(c, (await service()).removeRecipient(c.var.deps, asMember(c), id, recipientId));
    },
  )
  .post(
    "/:id/skip",
    forUsers("Leave out the next occurrence", { 200: seriesResponse }, [
      ...CHANGED,
      "no_occurrence_left",
      "already_done",
    ]),
    optionalJsonBody(occurrenceInput),
    async (c) => {
      const id = idOf(c);
      await (await sending()).skipOccurrence(c.var.deps, asMember(c), id, c.req.valid("json").on);
      return respond(c, await (await service()).readWritten(c.var.deps, id));
    },
  )
  .post(
    "/:id/run",
    forUsers("Send the next occurrence now, in its place", { 200: seriesResponse }, [
      ...CHANGED,
      "no_occurrence_left",
      "already_done",
      "account_changed",
      "verify_email",
      "too_many_invitations",
      ...MESSAGE_ERRORS,
    ]),
    idempotent(async (c, id) => (await service()).readSeries(c.var.deps, asViewer(c), Number(id)), 200),
    optionalJsonBody(occurrenceInput),
    async (c) => {
      const id = idOf(c);
      await (await sending()).runSeries(c.var.deps, callerOf(c), id, c.req.valid("json").on, c.var.claim);
      return respond(c, await (await service()).readWritten(c.var.deps, id));
    },
  );
