import type { FileDelivery } from "../../../db/queries/file-deliveries";
import { fileDeliveryResponse } from "../../contract/destinations";
import { fieldsOf } from "../../contract/fields";

/** A delivery as owners see it. */
export const fileDeliveryView = (
  delivery: Omit<FileDelivery, "session"> & { documentName: string | null; fileName: string },
) =>
  fieldsOf(fileDeliveryResponse, {
    ...delivery,
    requestId: delivery.envelopeId,
    file: delivery.submissionId,
  });
