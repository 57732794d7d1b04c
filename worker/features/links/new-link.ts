import type { Database } from "../../../db/client";
import type { FullEnvelope, ownEnvelopeId } from "../../../db/queries/envelopes";
import { insertReplacedLink } from "../../../db/queries/replaced-links";
import { hashToken, randomToken } from "../../lib/tokens";

/** Another token for an envelope's link, and the statements that record the present one as replaced. */
export async function newLink(
  db: Database,
  id: ReturnType<typeof ownEnvelopeId>,
  { submissionToken }: Pick<FullEnvelope, "submissionToken">,
) {
  return {
    submissionToken: randomToken(),
    recorded: insertReplacedLink(db, id, await hashToken(submissionToken)),
  };
}
