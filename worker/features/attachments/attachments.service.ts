import {
  copyAttachments,
  insertAttachment,
  isAttachmentRejected,
  isAttachmentsFull,
  listAttachmentsById,
  selectAttachment,
} from "../../../db/queries/attachments";
import type { Member } from "../../../db/queries/members";
import type { Attachment } from "../../contract/attachments";
import { queriedId } from "../../contract/fields";
import { ATTACHMENT_TYPES, extensionOf } from "../../contract/files";
import { LIMITS, SERVER_LIMITS } from "../../contract/limits";
import type { Dependencies } from "../../dependencies";
import { appError, rejectedAs } from "../../errors";
import { cleanFileName } from "../../lib/file-names";
import { checkFileType } from "../../lib/file-types";
import { readMultipart, readText } from "../../lib/multipart";
import {
  type AcceptedFile,
  finishOne,
  type IncomingFiles,
  type UploadBody,
  withIncomingFiles,
} from "../files/incoming-files";
import { reserveUnlimited } from "../files/upload-lease";
import { missing, requireWorkspace } from "../workspaces/workspaces.service";

/**
 * Stores the form of a multipart body, with the fields `file` and `workspaceId`.
 * @throws AppError `workspace_not_found`, `role_required`, `too_many_attachments`, and for a rejected file
 */
export function addAttachment(deps: Dependencies, member: Member, upload: UploadBody): Promise<Attachment> {
  const { db, clock, config } = deps;
  const reserve = reserveUnlimited(deps, member.userId, LIMITS.attachment);
  return withIncomingFiles<string, Attachment>(deps, reserve, async (incoming) => {
    const workspaceId = await requireWorkspace(deps, member, await receive(incoming, upload));
    const codes = { missing: "attachment_missing", infected: "infected_attachment" } as const;
    const { key, about, size, mimeType, sha256 } = await finishOne(incoming, codes);
    const createdAt = clock.now().toISOString();
    const file = { filePath: key, fileName: about, fileSize: size, mimeType, sha256 };
    const attachment = { workspaceId, ...file, createdAt };
    const [stored] = await incoming
      .record(insertAttachment(db, member, attachment, config.quotas), undefined, selectAttachment(db, key))
      .catch(throwIfFull)
      .catch(async (error: unknown) => {
        if (!isAttachmentRejected(error)) throw error;
        throw await missing(deps, member, "workspace_not_found", { kind: "workspace", id: workspaceId });
      });
    if (!stored) throw appError("workspace_not_found");
    return stored;
  });
}

function throwIfFull(error: unknown): never {
  if (!isAttachmentsFull(error)) throw error;
  throw appError("too_many_attachments", { params: { max: SERVER_LIMITS.attachmentsPerWorkspace } });
}

/** @returns the workspace that the body names, if it names one */
async function receive(incoming: IncomingFiles<string>, upload: UploadBody): Promise<number | undefined> {
  let workspaceId: number | undefined;
  for await (const { name, fileName, bytes } of readMultipart(upload, { maxParts: 2 })) {
    if (name === "file" && fileName !== undefined && incoming.received.length === 0)
      await incoming.receive(bytes, accept(fileName));
    else if (name === "workspaceId" && fileName === undefined) {
      const read = queriedId.safeParse(await readText(bytes, 20));
      if (!read.success) throw appError("workspace_not_found");
      workspaceId = read.data;
    } else throw appError("attachment_missing");
  }
  await upload.checkAgain?.();
  return workspaceId;
}

/** @throws AppError `attachment_type_not_allowed` */
function accept(sentName: string): AcceptedFile<string> {
  const about = cleanFileName(sentName);
  const extension = extensionOf(about);
  if (!ATTACHMENT_TYPES.some((type) => type === extension)) throw appError("attachment_type_not_allowed");
  return {
    about,
    extension,
    maxBytes: LIMITS.attachment,
    tooLarge: () => appError("attachment_too_large", { params: { maxMb: LIMITS.attachment / 1024 / 1024 } }),
    empty: () => appError("attachment_missing"),
    async typeOf(sample, isBeginning) {
      const accepted = { accepted: ATTACHMENT_TYPES, isBeginning };
      const { mimeType } = await checkFileType(extension, sample, accepted);
      if (mimeType === null) throw appError("attachment_type_not_allowed");
      return mimeType;
    },
  };
}

/**
 * The entries with the names and sizes of their attachments, which must be of this workspace. An envelope that moves
 * there from another one takes its own along.
 * @throws AppError `attachment_not_found`, `too_many_attachments`
 */
export async function requireAttachments<Entry extends { attachments: Attachment[] }>(
  deps: Dependencies,
  member: Member,
  workspaceId: number,
  entries: Entry[],
  stored?: { workspaceId: number; documents: Pick<Entry, "attachments">[] },
): Promise<Entry[]> {
  const { db, clock } = deps;
  const idsOf = (list: Pick<Entry, "attachments">[]) =>
    list.flatMap(({ attachments }) => attachments.map(({ id }) => id));
  const ids = idsOf(entries);
  if (ids.length === 0) return entries;
  const found = await listAttachmentsById(db, member, { workspaceId, ids });
  const byId = new Map(found.map(({ id, fileName, fileSize }) => [id, { id, fileName, fileSize }]));
  if (stored && stored.workspaceId !== workspaceId) {
    const wanted = new Set(ids);
    const taken = idsOf(stored.documents).filter((id) => wanted.has(id) && !byId.has(id));
    const from = { workspaceId: stored.workspaceId, ids: taken };
    const sources = await listAttachmentsById(db, member, from);
    const now = clock.now().toISOString();
    const move = { ids: taken, from: stored.workspaceId, to: workspaceId, now };
    const copies = await copyAttachments(db, member, move)
      .catch(throwIfFull)
      .catch(rejectedAs(isAttachmentRejected, "workspace_not_found"));
    for (const source of sources) {
      const copy = copies.find(({ filePath }) => filePath === source.filePath);
      if (copy) byId.set(source.id, { id: copy.id, fileName: copy.fileName, fileSize: copy.fileSize });
    }
  }
  return entries.map((entry) => ({
    ...entry,
    attachments: entry.attachments.map(({ id }) => {
      const attachment = byId.get(id);
      if (!attachment) throw appError("attachment_not_found");
      return attachment;
    }),
  }));
}
