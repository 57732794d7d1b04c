import { LIMITS } from "../../contract/limits";
import { appError } from "../../errors";
import { cleanFileName } from "../../lib/file-names";
import { unescapeName } from "../../lib/multipart";
import { withoutControls } from "../../lib/multipart-headers";
import type { FileRules } from "../files/incoming-file";
import { type RequestedDocument, requireAllowedType, requireMatchingContent } from "./document-rules";

/** The document that a file was sent for, and the file's name on the recipient's device. */
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

/** Checks of a file that are possible before its first byte. @throws AppError naming the document */
export function acceptFile(
  document: RequestedDocument,
  { sentName, before, maxBytes }: { sentName: string; before: readonly SentFile[]; maxBytes: number },
): { about: SentFile; extension: string; rules: FileRules } {
  const params = { document: document.name };
  const files = before.filter((other) => other.document === document).length;
  if (files > 0 && !document.multiple) throw appError("duplicate_document", { params });
  if (files === LIMITS.filesPerDocument)
    throw appError("too_many_files", { params: { ...params, max: LIMITS.filesPerDocument } });
  const fileName = cleanFileName(sentName);
  if (!fileName) throw appError("invalid_file_name", { params });
  const extension = requireAllowedType(document, fileName);
  return { about: { document, fileName }, extension, rules: rulesFor(document, extension, maxBytes) };
}

/**
 * A name as browsers encode it in multipart: line breaks are normalized, "%22" stands for a quote, and a tab for any
 * other control character.
 */
const asSent = (name: string) => withoutControls(unescapeName(name).replace(/\r\n?/g, "\n"));

function rulesFor(document: RequestedDocument, extension: string, maxBytes: number): FileRules {
  const params = { document: document.name };
  return {
    maxBytes,
    tooLarge: () => appError("file_too_large", { params: { ...params, maxMb: maxBytes / 1024 / 1024 } }),
    empty: () => appError("empty_file", { params }),
    typeOf: (sample) => requireMatchingContent(document, extension, sample),
  };
}
