import type { Database } from "../../../db/client";
import { findIfLinkIsKnownOutside } from "../../../db/queries/due-links";
import type { FullEnvelope } from "../../../db/queries/envelopes";
import { insertReplacedLink } from "../../../db/queries/replaced-links";
import { ACTIVITY_DAYS } from "../../contract/members";
import { DAY_MS } from "../../lib/durations";
import { hashToken, randomToken } from "../../lib/tokens";

/** Another token for an envelope's link, and the statements that record the present one as replaced. */
export async function newLink(
  db: Database,
  { id, submissionToken }: Pick<FullEnvelope, "id" | "submissionToken">,
) {
  return {
    submissionToken: randomToken(),
    recorded: insertReplacedLink(db, id, await hashToken(submissionToken)),
  };
}

/**
 * Another link for an envelope whose link does not work and is to work again, or that moves to another workspace, if somebody
 * may know it who has lost access to the envelope since, or loses it now.
 * @returns also the condition for the batch that no link is needed
 */
export async function linkToReopen(
  db: Database,
  envelope: FullEnvelope,
  { now, movesTo }: { now: Date; movesTo?: number | undefined },
) {
  const activitySince = new Date(now.getTime() - ACTIVITY_DAYS * DAY_MS).toISOString();
  const { isKnown, stillSo } = await findIfLinkIsKnownOutside(db, envelope, { activitySince, movesTo });
  return { link: isKnown ? await newLink(db, envelope) : null, condition: stillSo };
}
