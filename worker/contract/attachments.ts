import * as z from "zod/mini";
import { bytes, entity, id, nullishTo, rowId } from "./fields";
import { LIMITS } from "./limits";

/** A form that the recipient downloads, fills in and uploads. */
export const attachmentResponse = entity("Attachment", { id, fileName: z.string(), fileSize: bytes });
export type Attachment = z.output<typeof attachmentResponse>;

/** Their ids, or the attachments as they were returned, of which only the id counts: each once. */
export const attachmentList = nullishTo(
  z.array(z.union([rowId, z.object({ id: rowId })])).check(z.maxLength(LIMITS.attachmentsPerDocument)),
  (list): Attachment[] => {
    const ids = list?.map((entry) => (typeof entry === "number" ? entry : entry.id));
    return [...new Set(ids)].map((id) => ({ id, fileName: "", fileSize: 0 }));
  },
);
