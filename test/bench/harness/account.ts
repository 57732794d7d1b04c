import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { openLibsql } from "../../../db/libsql";
import { seedLoad } from "../../../worker/cli/seed/load";

const PASSWORD = "a long password";

export type Account = {
  id: number;
  workspaceId: number;
  email: string;
  cookie: string;
  send(method: string, path: string, body?: unknown): Promise<Response>;
};

/** A new signed-in account on a running app. */
export async function signUp(origin: string, email: string): Promise<Account> {
  let cookie = "";
  const send = (method: string, path: string, body?: unknown) =>
    fetch(origin + path, {
      method,
      headers: { "Content-Type": "application/json", cookie },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  const response = await send("POST", "/api/register", { email, password: PASSWORD });
  if (response.status !== 201) throw new Error(`No account: ${await response.text()}`);
  cookie = response.headers.getSetCookie()[0]?.split(";", 1)[0] ?? "";
  const { id } = await response.json();
  await send("POST", "/api/user/complete-onboarding", {});
  const [workspace] = await (await send("GET", "/api/workspaces")).json();
  return { id, workspaceId: workspace.id, email, cookie, send };
}

/** Inserts envelopes directly into the database of the app in `folder`. */
export async function addEnvelopes(
  folder: string,
  { id, workspaceId }: Account,
  count: number,
): Promise<void> {
  const database = await openLibsql({ url: pathToFileURL(join(folder, "doculopes.db")).href });
  await seedLoad(database.db, { userId: id, workspaceId }, count, new Date());
  database.close();
}

/** Sends an envelope that requests the given documents. @returns its token */
export async function sendEnvelope(account: Account, documents: string[]): Promise<string> {
  const response = await account.send("POST", "/api/requests", envelope(documents));
  if (response.status !== 201) throw new Error(`No envelope: ${await response.text()}`);
  return (await response.json()).submissionToken;
}

export const envelope = (documents: string[]) => ({
  recipientName: "Charles Babbage",
  recipientEmail: "charles@example.com",
  subject: "Papers for the engine",
  message: "Hello Charles,\nplease send me the papers for the engine. Thank you.",
  documents: documents.map((name) => ({ name, required: true, allowedFileTypes: ["pdf", "jpg"] })),
});
