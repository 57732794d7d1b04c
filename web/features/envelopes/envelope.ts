import { LIMITS } from "../../../worker/contract/limits";
import { api, listPage } from "../../lib/api";

/** Reads a page of a workspace's envelopes. */
export const readEnvelopePage = (workspaceId: number, cursor: string) =>
  listPage(
    api.requests.$get({
      query: { workspaceId: String(workspaceId), limit: String(LIMITS.pageMax), cursor },
    }),
  );

export type Envelope = Awaited<ReturnType<typeof readEnvelopePage>>["rows"][number];
export type Submission = Envelope["submissions"][number];
