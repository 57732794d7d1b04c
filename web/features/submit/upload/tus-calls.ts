import { type Answer, callServer, NO_ANSWER, submissionUrl, toAnswer } from "../request/submission-api";

const TUS = { "Tus-Resumable": "1.0.0" };

const uploadsUrl = (token: string) => `${submissionUrl(token)}/uploads`;
export const uploadUrl = (token: string, id: string) => `${uploadsUrl(token)}/${encodeURIComponent(id)}`;

/**
 * Begins an upload. tus-js-client could do that too, but begins another one after every failure to resume.
 * @returns the upload's id, or why there is none
 */
export async function createUpload(
  token: string,
  documentId: number,
  file: File,
): Promise<{ id: string } | { failure: Answer }> {
  try {
    const response = await fetch(uploadsUrl(token), {
      method: "POST",
      headers: {
        ...TUS,
        "Upload-Length": String(file.size),
        "Upload-Metadata": metadataOf({ document: String(documentId), ...identityOf(file) }),
      },
    });
    const id = response.headers.get("Location")?.split("/").at(-1);
    return response.status === 201 && id ? { id } : { failure: await toAnswer(response) };
  } catch {
    return { failure: NO_ANSWER };
  }
}

export const deleteUpload = (token: string, id: string): Promise<Answer> =>
  callServer(uploadUrl(token, id), { method: "DELETE", headers: TUS });

/**
 * Whether an upload was started with this very file: by name and last change, which only its metadata contains. The
 * caller has compared the size.
 * @returns a failed response if that is unknown
 */
export async function isUploadOf(token: string, id: string, file: File): Promise<boolean | Answer> {
  try {
    const response = await fetch(uploadUrl(token, id), { method: "HEAD", headers: TUS });
    if (!response.ok) return response.status === 404 ? false : await toAnswer(response);
    const pairs = (response.headers.get("Upload-Metadata") ?? "").split(",");
    return metadataOf(identityOf(file))
      .split(",")
      .every((pair) => pairs.includes(pair));
  } catch {
    return NO_ANSWER;
  }
}

const identityOf = ({ name, lastModified }: File) => ({
  filename: name,
  lastmodified: String(lastModified),
});

function metadataOf(pairs: Record<string, string>): string {
  return Object.entries(pairs)
    .map(([name, value]) => `${name} ${base64(value)}`)
    .join(",");
}

const base64 = (text: string) => btoa(String.fromCharCode(...new TextEncoder().encode(text)));
