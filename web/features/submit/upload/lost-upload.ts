import { toRequestState } from "../request/request-state";
import { type Answer, fetchRequest } from "../request/submission-api";
import { isUploadOf } from "./tus-calls";

/**
 * An upload of this file that was created although the response was lost.
 * @returns its id, null if there is none, or a failed answer
 */
export async function findLostUpload(
  token: string,
  { documentId, file }: { documentId: number; file: File },
  isKnown: (uploadId: string) => boolean,
): Promise<string | Answer | null> {
  const answer = await fetchRequest(token);
  const state = toRequestState(answer);
  if (state.kind !== "ready") return answer;
  const document = state.request.documents.find(({ id }) => id === documentId);
  for (const { id, fileSize, uploadedBytes } of document?.files ?? []) {
    if (isKnown(id) || fileSize !== file.size || uploadedBytes > 0) continue;
    const same = await isUploadOf(token, id, file);
    if (same === true) return id;
    if (same !== false) return same;
  }
  return null;
}
