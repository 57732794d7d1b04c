import type { RecipientEnvelope } from "../../../db/queries/submissions";
import { extensionOf, normalizeFileType } from "../../contract/files";
import { appError } from "../../errors";
import { checkFileType } from "../../lib/file-types";

export type RequestedDocument = RecipientEnvelope["documents"][number];

/** The extension of a file for the document. @throws AppError `file_type_not_allowed` */
export function requireAllowedType(document: RequestedDocument, fileName: string): string {
  const extension = extensionOf(fileName);
  if (!document.allowedFileTypes.map(normalizeFileType).includes(extension))
    throw appError("file_type_not_allowed", { params: typeParams(document) });
  return extension;
}

/** The media type detected from the beginning of a file. @throws AppError `file_content_mismatch` */
export async function requireMatchingContent(
  document: RequestedDocument,
  extension: string,
  sample: Uint8Array,
): Promise<string> {
  const mimeType = await checkFileType(extension, sample);
  if (!mimeType) throw appError("file_content_mismatch", { params: typeParams(document) });
  return mimeType;
}

const typeParams = ({ name, allowedFileTypes }: RequestedDocument) => ({
  document: name,
  types: allowedFileTypes.join(", "),
});
