import type { RecipientEnvelope } from "../../../db/queries/submissions";
import { extensionOf, normalizeFileType } from "../../contract/files";
import { appError } from "../../errors";
import { cleanFileName } from "../../lib/file-names";
import { checkFileType } from "../../lib/file-types";
import { unescapeName } from "../../lib/multipart";
import { withoutControls } from "../../lib/multipart-headers";
import type { FileRules } from "../files/incoming-file";

type RequestedDocument = RecipientEnvelope["documents"][number];

/** What a file was sent for, and its name on the sender's side. */
export type SentFile = { document: RequestedDocument; fileName: string };

/** Finds the requested document that a part of a multipart body names. @throws AppError `unknown_document` */
export function documentFinder(documents: readonly RequestedDocument[]) {
  const byName = new Map(documents.map((document) => [asSent(document.name), document]));
  return (name: string): RequestedDocument => {
    const document = byName.get(asSent(name));
    if (!document) throw appError("unknown_document", { params: { document: name.slice(0, 200) } });
    return document;
  };
}

/** Checks what can be checked of a file before its first byte. @throws AppError naming the document */
export function acceptFile(
  document: RequestedDocument,
  { sentName, before, maxBytes }: { sentName: string; before: readonly SentFile[]; maxBytes: number },
): { about: SentFile; extension: string; rules: FileRules } {
  const params = { document: document.name };
  if (before.some((other) => other.document === document)) throw appError("duplicate_document", { params });
  const fileName = cleanFileName(sentName);
  if (!fileName) throw appError("invalid_file_name", { params });
  const extension = allowedExtension(document, fileName);
  return { about: { document, fileName }, extension, rules: rulesFor(document, extension, maxBytes) };
}

/**
 * A name as a browser's multipart encodes it: line breaks are normalized, "%22" stands for a quote, and a tab for any
 * other control character.
 */
const asSent = (name: string) => withoutControls(unescapeName(name).replace(/\r\n?/g, "\n"));

/** @throws AppError `file_type_not_allowed` */
function allowedExtension(document: RequestedDocument, fileName: string): string {
  const extension = extensionOf(fileName);
  if (!document.allowedFileTypes.map(normalizeFileType).includes(extension))
    throw appError("file_type_not_allowed", { params: typeParams(document) });
  return extension;
}

function rulesFor(document: RequestedDocument, extension: string, maxBytes: number): FileRules {
  const params = { document: document.name };
  return {
    maxBytes,
    tooLarge: () => appError("file_too_large", { params: { ...params, maxMb: maxBytes / 1024 / 1024 } }),
    empty: () => appError("empty_file", { params }),
    async typeOf(sample: Uint8Array) {
      const mimeType = await checkFileType(extension, sample);
      if (!mimeType) throw appError("file_content_mismatch", { params: typeParams(document) });
      return mimeType;
    },
  };
}

const typeParams = ({ name, allowedFileTypes }: RequestedDocument) => ({
  document: name,
  types: allowedFileTypes.join(", "),
});
