import type { RecipientEnvelope } from "../../../db/queries/submissions";
import { acceptedExtensions } from "../../contract/equal-extensions";
import { extensionOf, normalizeFileType } from "../../contract/files";
import { LIMITS } from "../../contract/limits";
import { appError } from "../../errors";
import { cleanFileName } from "../../lib/file-names";
import { checkFileType } from "../../lib/file-types";
import { unescapeName, withoutControls } from "../../lib/multipart";
import type { AcceptedFile } from "../files/incoming-files";
import type { TypeOf } from "../files/receive-bytes";

export type RequestedDocument = RecipientEnvelope["documents"][number];

/** The extension of a file for the document. @throws AppError `file_type_not_allowed` */
export function requireAllowedType(
  document: RequestedDocument,
  fileName: string,
  accepted = acceptedTypes(document),
): string {
  const extension = extensionOf(fileName);
  if (!accepted.includes(extension))
    throw appError("file_type_not_allowed", { params: typeParams(document) });
  return extension;
}

/** The media type detected from the beginning of a file. @throws AppError `file_content_mismatch` */
export async function requireMatchingContent(
  document: RequestedDocument,
  extension: string,
  ...[sample, isBeginning]: Parameters<TypeOf>
): Promise<string> {
  const checked = await checkFileType(extension, sample, { accepted: acceptedTypes(document), isBeginning });
  if (checked.mimeType !== null) return checked.mimeType;
  const { picture } = checked;
  throw appError("file_content_mismatch", {
    params: { ...typeParams(document), ...(picture && { picture: picture.name, extension }) },
    ...(picture && { message: PICTURE_MISMATCH }),
  });
}

/** Instead of the usual message where it is known what the file is. */
const PICTURE_MISMATCH =
  "The file for “{{document}}” is a {{picture}} picture, named .{{extension}}. Accepted file types: {{types}}";

export const acceptedTypes = ({ allowedFileTypes }: RequestedDocument) =>
  acceptedExtensions(allowedFileTypes.map(normalizeFileType));

const typeParams = ({ name, allowedFileTypes }: RequestedDocument) => ({
  document: name,
  types: allowedFileTypes.join(", "),
});

/** The document that a file was sent for, and the file's name on the recipient's device. */
export type SentFile = { document: RequestedDocument; fileName: string };

/** Finds the requested document that a part of a multipart body names. @throws AppError `unknown_document` */
export function documentFinder(documents: readonly RequestedDocument[]) {
  const byName = new Map(documents.map((document) => [asSent(document.name), document]));
  // Names that differ only in how their letters are encoded are the same, unless an old envelope has both.
  const byForm = new Map(documents.map((document) => [asSent(document.name).normalize("NFC"), document]));
  return (name: string): RequestedDocument => {
    const document = byName.get(asSent(name)) ?? byForm.get(asSent(name).normalize("NFC"));
    if (!document) throw appError("unknown_document", { params: { document: name.slice(0, 200) } });
    return document;
  };
}

/** Checks of a file that are possible before its first byte. @throws AppError naming the document */
export function acceptFile(
  document: RequestedDocument,
  { sentName, before, maxBytes }: { sentName: string; before: readonly SentFile[]; maxBytes: number },
): AcceptedFile<SentFile> {
  const params = { document: document.name };
  const files = before.filter((other) => other.document === document).length;
  if (files > 0 && !document.multiple) throw appError("duplicate_document", { params });
  if (files === LIMITS.filesPerDocument)
    throw appError("too_many_files", { params: { ...params, max: LIMITS.filesPerDocument } });
  const fileName = cleanFileName(sentName);
  if (!fileName) throw appError("invalid_file_name", { params });
  const extension = requireAllowedType(document, fileName);
  return {
    about: { document, fileName },
    extension,
    maxBytes,
    tooLarge: () => appError("file_too_large", { params: { ...params, maxMb: maxBytes / 1024 / 1024 } }),
    empty: () => appError("empty_file", { params }),
    typeOf: (...sample) => requireMatchingContent(document, extension, ...sample),
  };
}

/**
 * A name as browsers encode it in multipart: line breaks are normalized, "%22" stands for a quote, and a tab for any
 * other control character.
 */
const asSent = (name: string) => withoutControls(unescapeName(name).replace(/\r\n?/g, "\n"));
