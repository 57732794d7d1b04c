import type { RecipientEnvelope } from "../../../db/queries/submissions";
import { extensionOf, normalizeFileType } from "../../contract/files";
import type { Dependencies } from "../../dependencies";
import { appError } from "../../errors";
import { cleanFileName, randomFileKey } from "../../lib/file-names";
import { checkFileType } from "../../lib/file-types";
import { type MultipartHandler, unescapeName } from "../../lib/multipart";
import { withoutControls } from "../../lib/multipart-headers";
import { type IncomingFile, receiveFile } from "../files/incoming-file";

type RequestedDocument = RecipientEnvelope["documents"][number];

/** A file that has arrived for a document. */
export type ReceivedFile = { document: RequestedDocument; fileName: string; file: IncomingFile };

/**
 * Takes the files of a submission as they come in, and checks each against the document it is for.
 * `received` fills up on the way; whatever is in it when the reading fails is the caller's to undo.
 */
export function submissionHandler(
  { files, config }: Dependencies,
  documents: RequestedDocument[],
  received: ReceivedFile[],
): MultipartHandler {
  const byName = new Map(documents.map((document) => [asSent(document.name), document]));
  const documentFor = (name: string): RequestedDocument => {
    const document = byName.get(asSent(name));
    if (!document) throw appError("unknown_document", { params: { document: name.slice(0, 200) } });
    return document;
  };
  return {
    async field(name) {
      throw appError("not_a_file", { params: { document: documentFor(name).name } });
    },
    async file(part) {
      const document = documentFor(part.name);
      if (received.some((other) => other.document === document))
        throw appError("duplicate_document", { params: { document: document.name } });
      const fileName = cleanFileName(part.fileName);
      if (!fileName) throw appError("invalid_file_name", { params: { document: document.name } });
      const extension = allowedExtension(document, fileName);
      const file = await receiveFile(
        files,
        randomFileKey(extension),
        rulesFor(document, extension, config.maxFileBytes),
      );
      received.push({ document, fileName, file });
      return file;
    },
  };
}

/**
 * A name as it comes out of a browser's multipart: line breaks are made alike, "%22" stands for a quote, and a tab
 * for any other control character.
 */
const asSent = (name: string) => withoutControls(unescapeName(name).replace(/\r\n?/g, "\n"));

/** @throws AppError `file_type_not_allowed` */
function allowedExtension(document: RequestedDocument, fileName: string): string {
  const extension = extensionOf(fileName);
  if (!document.allowedFileTypes.map(normalizeFileType).includes(extension))
    throw appError("file_type_not_allowed", { params: typeParams(document) });
  return extension;
}

function rulesFor(document: RequestedDocument, extension: string, maxBytes: number) {
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
