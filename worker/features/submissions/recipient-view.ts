import type { RecipientEnvelope } from "../../../db/queries/submissions";
import type { Dependencies } from "../../dependencies";

/** The envelope as its recipient sees it: nothing but what is asked, by whom and until when. */
export function recipientView(envelope: RecipientEnvelope, { config }: Dependencies) {
  const { title, description, status, expirationDate, user, documents } = envelope;
  return {
    title,
    description,
    status,
    expirationDate,
    user,
    documents: documents.map(({ name, description, required, allowedFileTypes }) => ({
      name,
      description,
      required,
      allowedFileTypes,
    })),
    /** Bytes of one file. */
    maxFileSize: config.maxFileBytes,
  };
}
