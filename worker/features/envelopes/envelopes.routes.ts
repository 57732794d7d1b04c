import { type Context, Hono } from "hono";
import type { FullEnvelope } from "../../../db/queries/envelopes";
import type { AppEnv, UserEnv } from "../../app-env";
import { timelineEntryResponse } from "../../contract/envelope-history";
import {
  assigneeInput,
  envelopeChanges,
  envelopeInput,
  envelopeListQuery,
  envelopeResponse,
  linkCopyResponse,
  listedEnvelopeResponse,
  previewQuery,
  previewResponse,
  seenInput,
} from "../../contract/envelopes";
import { reviewInput } from "../../contract/review";
import { respond, respondText, whenDone, whenLogged } from "../../middleware/describe";
import { idempotent } from "../../middleware/idempotency";
import { linkNextPage, setCounts } from "../../middleware/list-pages";
import { requireRecentSession } from "../../middleware/recent-sign-in";
import { asMember, asViewer, forUsers, senderOf, viewerOf } from "../../middleware/session";
import { idOf, jsonBody, query } from "../../middleware/validate";
import { requireOwnWorkspace } from "../workspaces/workspaces.service";
import { changeAssignee, unwatchEnvelope, watchEnvelope } from "./assignment.service";
import { pastDates } from "./envelope-fields";
import { readEnvelopeList } from "./envelope-list.service";
import { readTimeline } from "./envelope-notifications.service";
import { type EnvelopeView, isOwnEnvelope, viewEnvelope } from "./envelope-view";
import {
  createEnvelope,
  editEnvelope,
  markSeen,
  removeEnvelope,
  requireContact,
  requireEnvelope,
  sendScheduled,
} from "./envelopes.service";
import { copyLink, replaceLink } from "./links.service";
import { MESSAGE_ERRORS, unverified } from "./sending-limits";

const SENDING_ERRORS = [
  "role_required",
  "workspace_not_found",
  "contact_not_found",
  "template_not_found",
  "attachment_not_found",
  "missing_placeholder",
  "account_changed",
  "verify_email",
  "too_many_invitations",
  ...MESSAGE_ERRORS,
] as const;

/** In bytes: reading more and writing it are two turns of the event loop. */
const IN_SHARED_TURN = 100_000;

/** The envelope as the caller sees it, once the work is done. */
export async function viewed(c: Context<UserEnv>, work: Promise<FullEnvelope>): Promise<EnvelopeView> {
  const { deps, user } = c.var;
  const envelope = await work;
  if (envelope.textBytes > IN_SHARED_TURN) await deps.takeTurn?.();
  return viewEnvelope(deps, user, envelope, viewerOf(c));
}

/** The message may be sent between a call and its repetition, whose responses are the same. */
const asCreated = (view: EnvelopeView): EnvelopeView => ({
  ...view,
  delivery: view.delivery && "pending",
});

export const envelopeRoutes = new Hono<AppEnv>()
  .get(
    "/",
    forUsers(
      "List the requests",
      { 200: [listedEnvelopeResponse] },
      ["workspace_not_found", "contact_not_found"],
      {
        details:
          "`contactId` lists those that are linked to the contact or, in the same workspace, were sent to its address.",
      },
    ),
    query(envelopeListQuery),
    async (c) => {
      const { workspaceId, contactId } = c.req.valid("query");
      const caller = { member: asViewer(c), user: c.var.user };
      const list = await readEnvelopeList(c.var.deps, caller, c.req.valid("query"), viewerOf(c));
      const { body, isEmpty, next, counts } = list;
      if (isEmpty && contactId !== undefined) await requireContact(c.var.deps, asViewer(c), contactId);
      if (isEmpty && workspaceId !== undefined)
        await requireOwnWorkspace(c.var.deps, asViewer(c), workspaceId);
      linkNextPage(c, next);
      setCounts(c, "Envelope-Counts", counts);
      return respondText(c, body);
    },
  )
  .post(
    "/",
    forUsers(
      "Create a request",
      { 201: envelopeResponse },
      [...SENDING_ERRORS, "account_full", "envelope_not_found"],
      {
        details: "Sends it to its recipient, at once or on its day, unless `isDraft` is true.",
      },
    ),
    idempotent(async (c, id) => {
      const envelope = await requireEnvelope(c.var.deps, asViewer(c), Number(id));
      const { isDraft } = await c.req.json();
      if (envelope.isDraft && !isDraft) throw unverified(envelope);
      return asCreated(await viewEnvelope(c.var.deps, c.var.user, envelope, viewerOf(c)));
    }),
    jsonBody(envelopeInput, pastDates("expirationDate", "dueDate")),
    async (c) => {
      const created = createEnvelope(c.var.deps, senderOf(c), c.req.valid("json"), c.var.claim);
      return respond(c, asCreated(await viewed(c, created)));
    },
  )
  .post(
    "/preview",
    forUsers(
      "Preview the messages of a request",
      { 200: previewResponse },
      ["workspace_not_found", "attachment_not_found", "role_required"],
      {
        details:
          "Nothing is stored or sent. `kind=update` is the message about a request that was sent before.",
      },
    ),
    query(previewQuery),
    jsonBody(envelopeInput),
    async (c) => {
      const tried = c.req.valid("query");
      const { previewEnvelope } = await import("./preview");
      return respond(c, await previewEnvelope(c.var.deps, senderOf(c), c.req.valid("json"), tried));
    },
  )
  .get("/:id", forUsers("Read a request", { 200: envelopeResponse }, ["envelope_not_found"]), async (c) =>
    respond(c, await viewed(c, requireEnvelope(c.var.deps, asViewer(c), idOf(c)))),
  )
  .put(
    "/:id",
    forUsers("Replace a request", { 200: envelopeResponse }, [
      ...SENDING_ERRORS,
      "too_many_attachments",
      "envelope_not_found",
      "envelope_completed",
      "envelope_already_sent",
      "sent_before",
      "envelope_changed",
      "changed_meanwhile",
      "document_has_submission",
    ]),
    // An unchanged due date may be past.
    jsonBody(envelopeChanges, pastDates("expirationDate")),
    async (c) => {
      const edited = editEnvelope(c.var.deps, senderOf(c), idOf(c), c.req.valid("json"));
      return respond(c, await viewed(c, edited));
    },
  )
  .post(
    "/:id/send",
    forUsers("Send a scheduled request now", { 200: envelopeResponse }, [
      ...SENDING_ERRORS,
      "envelope_not_found",
      "not_scheduled",
      "envelope_changed",
      "changed_meanwhile",
    ]),
    async (c) => respond(c, await viewed(c, sendScheduled(c.var.deps, senderOf(c), idOf(c)))),
  )
  .patch(
    "/:id",
    forUsers(
      "Assign a request",
      { 200: envelopeResponse },
      ["envelope_not_found", "role_required", "changed_meanwhile", "envelope_changed"],
      { details: "In every status, without a message to its recipient." },
    ),
    jsonBody(assigneeInput),
    async (c) => {
      const changed = changeAssignee(c.var.deps, senderOf(c), idOf(c), c.req.valid("json"));
      return respond(c, await viewed(c, changed));
    },
  )
  .post(
    "/:id/link",
    forUsers(
      "Replace the link of a request",
      { 200: envelopeResponse },
      [
        "envelope_not_found",
        "role_required",
        "envelope_not_open",
        "envelope_changed",
        "reauthentication_required",
        ...MESSAGE_ERRORS.filter((code) => code !== "recipient_unsubscribed"),
      ],
      {
        details:
          "Sends the new link to the recipient; the present one stops working. What was uploaded with it stays. For a request that somebody else has created or is assigned to, the session must be recent.",
      },
    ),
    async (c) => {
      const id = idOf(c);
      const envelope = await requireEnvelope(c.var.deps, asMember(c), id);
      if (!isOwnEnvelope(envelope, c.var.user)) await requireRecentSession(c.var);
      const replaced = await replaceLink(c.var.deps, senderOf(c), id);
      c.var.deps.log.info("link replaced", { userId: c.var.user.id, envelopeId: id });
      return respond(c, await viewEnvelope(c.var.deps, c.var.user, replaced, viewerOf(c)));
    },
  )
  .post(
    "/:id/link-copies",
    forUsers(
      "Copy the link of a request",
      { 200: linkCopyResponse },
      ["envelope_not_found", "role_required"],
      { details: "The timeline records who copies it, once an hour." },
    ),
    async (c) => respond(c, { submissionToken: await copyLink(c.var.deps, asMember(c), idOf(c)) }),
  )
  .post(
    "/:id/watch",
    forUsers("Watch a request", { 204: null }, ["envelope_not_found"], {
      details: "Who watches a request gets the notices of its submissions too.",
    }),
    async (c) => whenDone(c, watchEnvelope(c.var.deps, asViewer(c), idOf(c))),
  )
  .delete(
    "/:id/watch",
    forUsers("Stop watching a request", { 204: null }, ["envelope_not_found"]),
    async (c) => whenDone(c, unwatchEnvelope(c.var.deps, asViewer(c), idOf(c))),
  )
  .post(
    "/:id/seen",
    forUsers("Mark a request as seen", { 204: null }, ["envelope_not_found"]),
    jsonBody(seenInput),
    async (c) => {
      const { completedAt } = c.req.valid("json");
      return whenDone(c, markSeen(c.var.deps, asViewer(c), idOf(c), completedAt));
    },
  )
  .delete(
    "/:id",
    forUsers("Delete a request", { 204: null }, ["envelope_not_found", "role_required"]),
    async (c) => {
      const envelopeId = idOf(c);
      const removed = removeEnvelope(c.var.deps, asMember(c), envelopeId);
      return whenLogged(c, removed, "envelope deleted", { envelopeId });
    },
  )
  .get(
    "/:id/timeline",
    forUsers("Read the timeline of a request", { 200: [timelineEntryResponse] }, ["envelope_not_found"]),
    async (c) => respond(c, await readTimeline(c.var.deps, asViewer(c), idOf(c))),
  )
  .post(
    "/:id/review",
    forUsers("Accept documents or ask for them again", { 200: envelopeResponse }, [
      "envelope_not_found",
      "role_required",
      "unknown_document",
      "expired_needs_date",
      "not_completed",
      "document_not_received",
      "nothing_to_undo",
      "envelope_changed",
      "verify_email",
      ...MESSAGE_ERRORS,
    ]),
    jsonBody(reviewInput),
    async (c) => {
      const { reviewEnvelope } = await import("./review.service");
      const reviewed = reviewEnvelope(c.var.deps, senderOf(c), idOf(c), c.req.valid("json"));
      return respond(c, await viewed(c, reviewed));
    },
  );
